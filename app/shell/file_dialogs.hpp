#pragma once

#include "geo/earth_polygons.hpp"

#include <QString>
#include <QStringList>

class QMimeData;
class QWidget;

namespace pollard::app {

struct Models;

/// Paths of the dropped files and folders of this computer.
[[nodiscard]] QStringList localFiles(const QMimeData& data);

/// Asks for an image to open; empty if cancelled.
[[nodiscard]] QString askForImage(QWidget& parent, Models& models);

/// Asks for several images to open; empty if cancelled.
[[nodiscard]] QStringList askForImages(QWidget& parent, Models& models);

/// Texts and defaults of a save dialog.
struct SaveQuestion {
    QString title;
    QString filter; ///< "GeoJSON (*.geojson)"
    QString ending; ///< appended to the name of the open file: "_objects"
    QString suffix; ///< "geojson"
};
/// Asks for a file to save to; empty if cancelled. A name with the ending of another format is refused with a message.
[[nodiscard]] QString askWhereToSave(QWidget& parent, Models& models, const SaveQuestion& question);
/// Answer of askWhereToSaveResult().
struct ResultTarget {
    QString path;         ///< empty if cancelled
    bool asShown = false; ///< the colours of the view, else the values
};
/// Asks for a file to save the result to. @param canShow whether the colours of the view can be saved
[[nodiscard]] ResultTarget askWhereToSaveResult(QWidget& parent, Models& models, bool canShow);

/// File types of volumes to write.
[[nodiscard]] QString volumeFilter();

/// File type of vector files to write, see VectorLayer.
[[nodiscard]] QString vectorFilter();

/// Asks for a folder to write files to; empty if cancelled.
[[nodiscard]] QString askForFolder(QWidget& parent, Models& models, const QString& title);

/// A GeoJSON file and the unit of its positions.
struct GeoJsonChoice {
    QString path; ///< empty if cancelled
    GeoJsonIn positions = GeoJsonIn::pixels;
};
/// Asks for a GeoJSON file to read shapes from; `positions` applies to files that do not state a unit. For an image
/// with a map, longitude and latitude are a separate file type.
[[nodiscard]] GeoJsonChoice askForRegion(QWidget& parent, Models& models);

/// Asks for an image if a path lists several images and is no plate, for which the window has a map.
/// @return the path without a list; empty if cancelled
[[nodiscard]] QString askForImage(QWidget& parent, const QString& path);

/// Asks for a GeoJSON file to save to. For an image with a map, longitude and latitude are the first file type, pixels
/// the second.
/// @param question its filter and suffix are ignored
[[nodiscard]] GeoJsonChoice askWhereToSaveGeoJson(QWidget& parent, Models& models, SaveQuestion question);
/// Asks for a file to save the shapes of the region to.
[[nodiscard]] GeoJsonChoice askWhereToSaveRegion(QWidget& parent, Models& models);

} // namespace pollard::app
