#include "image_argument.hpp"

#include "base/error.hpp"
#include "progress_line.hpp"

#include <CLI/CLI.hpp>

#include <charconv>

namespace pollard::cli {

ImageArgument parseImageArgument(const std::string& text) {
    std::error_code ignored;
    const std::size_t open = text.rfind('[');
    if (open == std::string::npos || open == 0 || text.back() != ']' || std::filesystem::exists(text, ignored)) {
        return {text, 0};
    }
    const char* const first = text.data() + open + 1;
    const char* const last = text.data() + text.size() - 1;
    int page = 0;
    const auto [end, problem] = std::from_chars(first, last, page);
    if (problem == std::errc::result_out_of_range || (problem == std::errc{} && page < 0)) {
        throw UsageError("page: '" + std::string(first, last) + "': no file has such a page (they count from 0)");
    }
    if (problem != std::errc{} || end != last) {
        return {text, 0};
    }
    return {text.substr(0, open), page};
}

void ImageOptions::declare(CLI::App& command) {
    command.add_option("IMAGE", image, "TIFF, PNG, JPEG, PGM or PPM file; IMAGE[N] picks\npage N, counted from 0")
        ->type_name("")
        ->required();
    command
        .add_option("--channel", channel,
                    "Grey value of a colour pixel: luminance, red,\ngreen, blue or a sample number from 0")
        ->type_name("CHANNEL")
        ->capture_default_str();
}

LoadedImage loadImage(const ImageOptions& options, const Context& context, ProgressLine& progress) {
    const ImageArgument argument = parseImageArgument(options.image);
    ReadOptions read;
    read.page = argument.page;
    try {
        read.channel = ChannelChoice::parse(options.channel);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    LoadedImage loaded = readImage(argument.path, read, progress.control("reading", context.stop));
    progress.clear();
    for (const std::string& note : loaded.info.notes) {
        printNote(context, argument.path.string() + ": " + note);
    }
    return loaded;
}

} // namespace pollard::cli
