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
    std::string range = "auto";
    std::string region;
    int shrink = 1;
    int level = 0;
    std::string raw;
    std::string pixelSize;
    std::string maxPixels;
    std::string maxDecoded;
    double maxExpansion = ReadLimits{}.maxExpansion;

    void declare(CLI::App& command);
    /// All but the image's name, for a command that takes several.
    void declareReading(CLI::App& command);
    /// What the options say, but for the number of threads.
    /// @throws UsageError for a value that no image could have
    [[nodiscard]] ReadOptions readOptions() const;
};

/// Declares --pixel-size, whose text parsePixelSize() reads.
/// @param help purpose of the option, without a full stop
void declarePixelSize(CLI::App& command, std::string& text, const std::string& help);

/// Reads what the options name, and prints the reader's notes.
/// @throws UsageError as ImageOptions::readOptions(); Error, Cancelled as readImage()
[[nodiscard]] LoadedImage loadImage(const ImageOptions& options, const Context& context, ProgressLine& progress);

} // namespace pollard::cli
