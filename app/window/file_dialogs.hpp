#pragma once

#include <QString>

class QWidget;

namespace pollard::app {

struct Models;

/// Asks for an image to open; empty if the person decided otherwise.
[[nodiscard]] QString askForImage(QWidget& parent, Models& models);

/// Asks where to save the result; empty if the person decided otherwise.
[[nodiscard]] QString askWhereToSave(QWidget& parent, Models& models);

/// Asks for a GeoJSON file to read shapes from; empty if the person decided otherwise.
[[nodiscard]] QString askForRegion(QWidget& parent, Models& models);

/// Asks where to save shapes as GeoJSON; empty if the person decided otherwise.
[[nodiscard]] QString askWhereToSaveRegion(QWidget& parent, Models& models);

} // namespace pollard::app
