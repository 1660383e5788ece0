#pragma once

#include "command.hpp"
#include "io/image_file.hpp"

#include <filesystem>
#include <string>

namespace pollard::cli {

class ProgressLine;

/// An image as it is named on a command line.
struct ImageArgument {
    std::filesystem::path path;
    int page = 0; ///< 0-based
};

/// Splits `IMAGE[page]`. A file that really has this name, brackets and all, wins.
/// @throws UsageError for a page number that no file can have
[[nodiscard]] ImageArgument parseImageArgument(const std::string& text);

/// Options of every command that reads one image.
struct ImageOptions {
    std::string image;
    std::string channel = "luminance";

    void declare(CLI::App& command);
};

/// Reads the page and channel that the options name, and prints the reader's notes.
/// @throws UsageError for a channel that does not exist; Error, Cancelled as readImage()
[[nodiscard]] LoadedImage loadImage(const ImageOptions& options, const Context& context, ProgressLine& progress);

} // namespace pollard::cli
