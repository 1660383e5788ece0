#pragma once

#include <QPointF>
#include <QRectF>
#include <QSize>
#include <qopengl.h>

namespace pollard::app {

/// A rectangle of an image and the texture that shows it, of any resolution.
struct TextureTile {
    QRectF area;            ///< px of the image
    GLuint levels = 0;      ///< R8UI or R16UI
    GLuint coverage = 0;    ///< R8UI, 0 (no data) to 255 per texel; 0: fully covered
    double texelsPerPx = 1; ///< texels per px of the image
    QPointF texel;          ///< position of the top left corner of `area` in the texture
    QSize size;             ///< texels with content, from the texture's corner; may exceed `area`
    bool isStandIn = false; ///< coarser than required, until the right one is loaded
};

} // namespace pollard::app
