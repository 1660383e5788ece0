#pragma once

#include "io/image_file.hpp"

#include <QList>
#include <QString>

namespace pollard::vm {

/// A window of values with a name for menus.
struct NamedWindow {
    QString id;   ///< "file", "brain" ...
    QString name; ///< translated
    ChannelWindow values;
    QString unit; ///< of the values; may be empty

    /// "0 to 80 HU"
    [[nodiscard]] QString valuesText() const;
};

/// The window that the file states, and those that are usual in computed tomography for values in Hounsfield units.
/// @param info null: none
[[nodiscard]] QList<NamedWindow> namedWindows(const ImageInfo* info);

} // namespace pollard::vm
