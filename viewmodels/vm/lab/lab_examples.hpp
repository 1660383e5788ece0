#pragma once

#include "trace/lab_picture.hpp"

#include <QString>

#include <span>
#include <string_view>

namespace pollard::vm {

/// A picture of which something can be learnt.
struct LabExample {
    std::string_view id; ///< stays the same for ever: prepared scenes name it
    const char* name;    ///< for exampleTitle()
    teach::LabPicture picture;
};

/// All of them, the simplest first.
[[nodiscard]] std::span<const LabExample> labExamples();
/// Null if there is none of that name.
[[nodiscard]] const LabExample* findLabExample(std::string_view id);
/// Its name in the language of the window.
[[nodiscard]] QString exampleTitle(const LabExample& example);

} // namespace pollard::vm
