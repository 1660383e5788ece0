#pragma once

#include <QPointF>
#include <QRectF>
#include <QSize>
#include <qopengl.h>

namespace pollard::app {

/// A rectangle of a picture and the texture that shows it, of whatever resolution.
struct TextureTile {
    QRectF area;            ///< px of the picture
    GLuint levels = 0;      ///< R8UI or R16UI
    GLuint coverage = 0;    ///< R8UI, texel by texel 0 (no data) to 255; 0: everything is covered
    double texelsPerPx = 1; ///< of the picture
    QPointF texel;          ///< where the top left corner of `area` lies in the texture
    QSize size;             ///< texels that hold the picture, from the texture's corner on; may go beyond `area`
    bool isStandIn = false; ///< coarser than it should be: another one follows
};

} // namespace pollard::app
