#pragma once

#include "command.hpp"
#include "io/image_file.hpp"
#include "io/page_selection.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {
struct Recipe;
}

namespace pollard::cli {

/// An image named on a command line.
struct ImageArgument {
    std::filesystem::path path;
    int page = 0; ///< 0-based
};

/// Splits `IMAGE[page]`. An existing file with the whole name takes precedence.
/// @throws UsageError for an invalid page number
[[nodiscard]] ImageArgument parseImageArgument(const std::string& text);

/// Options of commands that read one image.
struct ImageOptions {
    std::string image;
    std::string channel = "luminance"; ///< of --channel or --derive
    std::string range = "auto";
    std::string axes; ///< of the pages, as parseAxisOrder() reads them; empty: as the file states them
    std::string region;
    int shrink = 1;
    int level = 0;
    std::string raw;
    std::string pixelSize;
    bool ignoreAlpha = false;
    std::optional<PageSelection> at;  ///< of --at
    std::optional<SelectedPart> part; ///< of `at`; once it is set, readOptions() has it
    bool takesEach = false;           ///< --at may name each position
    bool volume = false;              ///< the pages along z are one volume
    std::string volumeNote;           ///< the result of --volume=auto; empty without it
    std::string maxPixels;
    std::string maxDecoded;
    double maxExpansion = ReadLimits{}.maxExpansion;

    void declare(CLI::App& command);
    /// Declares the options without the image name, for commands with several images.
    void declareReading(CLI::App& command);
    /// Declares --volume and --pages, for commands that work on volumes. --volume=auto looks into the file as soon as
    /// the command line is parsed, so that `volume` holds its result.
    void declareVolume(CLI::App& command);
    /// The options without the number of threads, with the part that --at names, for which the facts about the file
    /// are read.
    /// @throws UsageError for invalid values; Error for a part that the file lacks
    [[nodiscard]] ReadOptions readOptions() const;
    /// The same without the part.
    [[nodiscard]] ReadOptions readWithoutPart() const;
    /// Sets `part` to the part that --at selects. @return notes on axes that it does not state
    std::vector<std::string> choosePart();

private:
    void declareAt(CLI::App& command);
    bool takesVolumes_ = false;
    /// Sets `volume` by the axes of the file. Failures to read it are left to the command.
    void findVolume();
};

/// Images of a file that are followed one after another.
struct ImageSequence {
    std::vector<SelectedPart> parts;
    std::vector<std::string> notes;
    char axis = 't'; ///< along which they lie
};
/// What to follow in a file.
struct FollowRequest {
    std::string along;              ///< of --along: "t", "z", "page"; empty: not given
    const Recipe* recipe = nullptr; ///< that reads the images; null: none
    bool fromPage = false;          ///< the page of IMAGE[page] is the first one; else it is the only one
};
/// The images of a file along t, or along another axis. Nothing if the pages are followed in their order: of a file
/// with one axis or none, without --at and --along.
/// @throws UsageError for contradictions; Error(invalidArgument) for several axes without t; as partsOf()
[[nodiscard]] std::optional<ImageSequence> imagesAlong(const ImageOptions& image, const FollowRequest& request);
/// Declares --along.
void declareAlong(CLI::App& command, std::string& along);
/// "FILE (t 3)": an image among several of its file.
[[nodiscard]] std::string imageName(const std::string& file, const SelectedPart& part);
/// Its position on an axis of several positions.
[[nodiscard]] std::optional<AxisPosition> positionOn(char axis, const SelectedPart& part);

/// Declares --pixel-size; parsePixelSize() parses its text.
/// @param help purpose of the option, without a full stop
void declarePixelSize(CLI::App& command, std::string& text, const std::string& help);

/// channelNamed() for the channels of this image. @param option that names the channel, "--measure"
/// @throws Error(invalidArgument) with the file and the option
[[nodiscard]] std::size_t channelOfFile(const char* option, const ImageOptions& image,
                                        std::span<const Channel> channels, const std::string& name);

/// The files of a volume, as VolumeSlices takes them: the files of a folder or a pattern, or the file itself.
/// @throws as slicesNamed()
[[nodiscard]] std::vector<std::filesystem::path> volumeFiles(const ImageOptions& options);

/// Prints the result of --volume=auto, if it was given. @param slices of a folder or a pattern; 0: of a file
void printVolumeNote(const ImageOptions& options, std::size_t slices, const Context& context);

/// What a command needs of an image beyond its options.
struct LoadOptions {
    bool proportional = false; ///< see MappingChoice::proportional; in any case if pixels are averaged
    bool keepSamples = false;  ///< see ReadOptions::keepSamples
};

/// Reads the image or volume and prints the reader's notes.
/// @throws UsageError as ImageOptions::readOptions(); Error, Cancelled as readImage() and readVolume()
[[nodiscard]] LoadedImage loadImage(const ImageOptions& wanted, const Context& context, ProgressLine& progress,
                                    const LoadOptions& reading = {});

} // namespace pollard::cli
