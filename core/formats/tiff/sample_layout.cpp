#include "formats/tiff/sample_layout.hpp"

#include "formats/tiff/tiff_facts.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <string_view>

namespace pollard {

namespace {

SampleLayout::Colours coloursOf(const ImageInfo& info, std::size_t samples) {
    const std::string_view photometric = info.photometric;
    if (samples >= 3 && (photometric == "RGB" || photometric == "YCbCr" || photometric == "Palette")) {
        return SampleLayout::Colours::rgb;
    }
    return samples >= 4 && photometric == "CMYK" ? SampleLayout::Colours::cmyk : SampleLayout::Colours::grey;
}

/// Whether the reader of a format other than TIFF found transparency, which is the sample after the colours.
bool notesTransparency(const ImageInfo& info) {
    return std::ranges::any_of(
        info.notes, [](const std::string& note) { return note.find("transparent pixels") != std::string::npos; });
}

} // namespace

SampleLayout sampleLayoutOf(const std::filesystem::path& path, const ReadOptions& options, const ImageInfo& info,
                            std::span<const Channel> channels) {
    SampleLayout layout;
    layout.samples = static_cast<int>(channels.size());
    layout.colours = coloursOf(info, channels.size());
    int alpha = -1;
    if (!options.raw && info.format.ends_with("TIFF")) {
        const SourceFile source = openSource(path); // the first bytes tell the byte order
        ReadOptions ofPage = options;
        ofPage.page = channels.front().page;
        const TiffPage page = openTiffPage(source, ofPage);
        layout.planar = page.facts.separate;
        alpha = info.photometric == "Palette" ? -1 : page.facts.alphaSample; // no sample beside the colours
        std::uint16_t count = 0;
        const std::uint16_t* kinds = nullptr;
        layout.premultiplied = alpha >= 0 &&
                               TIFFGetField(page.handle.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) == 1 &&
                               std::find(kinds, kinds + count, EXTRASAMPLE_ASSOCALPHA) != kinds + count;
    } else if (layout.samples == static_cast<int>(layout.colours) && notesTransparency(info)) {
        alpha = layout.samples;
    }
    if (alpha >= 0) {
        layout.samples += 1;
        layout.alpha = alpha;
    }
    return layout;
}

} // namespace pollard
