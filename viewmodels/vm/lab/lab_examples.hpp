#pragma once

#include "trace/lab_picture.hpp"

#include <QString>

#include <span>
#include <string_view>

namespace pollard::vm {

/// An instructive picture.
struct LabExample {
    std::string_view id; ///< permanent: prepared scenes refer to it
    const char* name;    ///< for exampleTitle()
    teach::LabPicture picture;
};

/// All examples, the simplest first.
[[nodiscard]] std::span<const LabExample> labExamples();
/// Null if there is none with this id.
[[nodiscard]] const LabExample* findLabExample(std::string_view id);
/// Its name in the language of the window.
[[nodiscard]] QString exampleTitle(const LabExample& example);

} // namespace pollard::vm
