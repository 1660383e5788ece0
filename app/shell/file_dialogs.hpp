#pragma once

#include "geo/geojson_positions.hpp"

#include <QString>

class QWidget;

namespace pollard::app {

struct Models;

/// Asks for an image to open; empty if the person decided otherwise.
[[nodiscard]] QString askForImage(QWidget& parent, Models& models);

/// Texts and proposals of a dialog for saving.
struct SaveQuestion {
    QString title;
    QString filter; ///< "GeoJSON (*.geojson)"
    QString ending; ///< of the proposed name, behind that of the open file: "_objects"
    QString suffix; ///< "geojson"
};
/// Asks where to save something; empty if the person decided otherwise.
[[nodiscard]] QString askWhereToSave(QWidget& parent, Models& models, const SaveQuestion& question);
/// The same for the result.
[[nodiscard]] QString askWhereToSaveResult(QWidget& parent, Models& models);

/// Asks for a folder to write files to; empty if the person decided otherwise.
[[nodiscard]] QString askForFolder(QWidget& parent, Models& models, const QString& title);

/// A GeoJSON file and the unit of its positions.
struct GeoJsonChoice {
    QString path; ///< empty if the person decided otherwise
    GeoJsonIn positions = GeoJsonIn::pixels;
};
/// Asks for a GeoJSON file to read shapes from; positions are those of a file without a mark. For a picture with
/// a map, longitude and latitude are a kind of file of their own.
[[nodiscard]] GeoJsonChoice askForRegion(QWidget& parent, Models& models);

/// Asks where to save GeoJSON. For a picture with a map, longitude and latitude come first and pixels are another kind
/// of file.
/// @param question its filter and suffix are not looked at
[[nodiscard]] GeoJsonChoice askWhereToSaveGeoJson(QWidget& parent, Models& models, SaveQuestion question);
/// The same for the shapes of the region.
[[nodiscard]] GeoJsonChoice askWhereToSaveRegion(QWidget& parent, Models& models);
/// A message about a saved file; of GeoJSON with the reason why it is in pixels although the picture has map
/// coordinates, if they are of no use.
[[nodiscard]] QString withPixelNotice(const QString& message, const QString& path, const Models& models);

} // namespace pollard::app
