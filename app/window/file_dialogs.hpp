#pragma once

#include <QString>

class QWidget;

namespace pollard::app {

struct Models;

/// Asks for an image to open; empty if the person decided otherwise.
[[nodiscard]] QString askForImage(QWidget& parent, Models& models);

/// What a dialog for saving says and proposes.
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

/// Asks for a GeoJSON file to read shapes from; empty if the person decided otherwise.
[[nodiscard]] QString askForRegion(QWidget& parent, Models& models);

/// Asks where to save shapes as GeoJSON; empty if the person decided otherwise.
[[nodiscard]] QString askWhereToSaveRegion(QWidget& parent, Models& models);

} // namespace pollard::app
