#include "formats/dicom/dicom_geometry.hpp"
#include "formats/dicom/dicom_header.hpp"
#include "formats/dicom/dicom_pixels.hpp"
#include "formats/dicom/dicom_series.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_layout.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pollard {

namespace {

/// A file with the layout of its pages.
struct DicomFile {
    DicomHeader header;
    DicomSamples samples;
    FrameStack stack;
    VolumeLayout layout;
};

void setScale(DicomFile& file) {
    const DicomHeader& header = file.header;
    VolumeLayout& layout = file.layout;
    if (file.samples.isColour || file.samples.isInverted) {
        return;
    }
    const auto scaleOf = [](const DicomPlane& plane) {
        const double slope = plane.slope.value_or(1);
        return std::pair(slope != 0 ? slope : 1, plane.intercept.value_or(0));
    };
    const DicomPlane& first = header.firstPlane();
    if (!std::ranges::all_of(header.framePlanes, [&](const DicomPlane& p) { return scaleOf(p) == scaleOf(first); })) {
        layout.notes.emplace_back("frames have values of different scales: shown as stored");
        return;
    }
    std::tie(layout.slope, layout.intercept) = scaleOf(first);
}

void addDicomFacts(DicomFile& file) {
    const DicomHeader& header = file.header;
    VolumeLayout& layout = file.layout;
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty()) {
            layout.facts.emplace_back(name, factText(text, 64));
        }
    };
    add("Modality", header.modality);
    add("Photometric interpretation", header.photometric);
    add("Unit of values", layout.isScaled() ? header.rescaleType : "");
    std::optional<AxisDirection> position = header.plane.position;
    if (!header.framePlanes.empty()) {
        position = header.framePlanes[file.stack.order.empty() ? 0 : file.stack.order.front()].position;
    }
    const bool isPlaced = file.stack.distance.distance > 0;
    for (auto& fact : axisFacts(header, position, isPlaced ? normalOf(header) : std::nullopt)) {
        layout.facts.push_back(std::move(fact));
    }
    if (file.samples.isInverted) {
        layout.notes.emplace_back("MONOCHROME1: shown inverted, low samples are bright");
    } else if (header.photometric == "MONOCHROME1") {
        layout.notes.emplace_back("MONOCHROME1 with a scale of values: high values are bright");
    }
    if (header.hasValueTable) {
        layout.notes.emplace_back("the table of values (modality LUT) is not applied");
    }
    if (header.isTiled) {
        layout.notes.emplace_back("the pages are tiles of a larger picture");
    }
    if (!file.stack.distance.note.empty()) {
        layout.notes.push_back(file.stack.distance.note);
    }
}

DicomFile fileOf(const SourceFile& source) {
    DicomFile file;
    file.header = readDicomHeader(source);
    const DicomHeader& header = file.header;
    file.samples = samplesOf(source, header);
    (void)compressionOf(source, header);
    file.stack = stackOf(header);
    VolumeLayout& layout = file.layout;
    layout.format = "DICOM";
    layout.data = source;
    layout.begin = header.begin;
    layout.coding =
        file.samples.isPlain && file.stack.order.empty() ? VolumeLayout::Coding::none : VolumeLayout::Coding::pages;
    layout.kind = file.samples.kind;
    layout.bits = file.samples.bits;
    layout.samples = file.samples.isColour ? 3 : header.samples;
    layout.colour = file.samples.isColour;
    layout.width = header.columns;
    layout.height = header.rows;
    layout.axes = file.stack.axes;
    setScale(file);
    if (header.spacing) {
        layout.pixelSize = PixelSize{header.spacing->first, header.spacing->second, "mm", "DICOM", false};
        layout.pixelSize->z = file.stack.distance.distance > 0 ? file.stack.distance.distance : header.distance;
    }
    addDicomFacts(file);
    return file;
}

/// The facts that a VolumeLayout does not have.
void complete(const SourceFile& source, const DicomFile& file, ImageInfo& info) {
    info.compression = compressionOf(source, file.header);
    info.photometric = file.samples.isPalette    ? "Palette"
                       : file.samples.isYcc      ? "YCbCr"
                       : file.samples.isColour   ? "RGB"
                       : file.samples.isInverted ? "MinIsWhite"
                                                 : "MinIsBlack";
    if (file.samples.kind != SampleKind::real && !file.samples.isColour) {
        info.bits = file.header.bitsStored;
    }
}

class DicomReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"DICOM", {"dcm", "dicom"}}; }
    bool recognises(std::span<const std::byte>) const override { return false; }
    bool recognisesFile(const SourceFile& source) const override { return isDicom(source); }
    bool readsRegions() const override { return true; }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        const DicomFile file = fileOf(source);
        ImageInfo info = volumeInfo(source, file.layout, options);
        complete(source, file, info);
        return info;
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        DicomFile file = fileOf(source);
        VolumeLayout& layout = file.layout;
        if (layout.coding == VolumeLayout::Coding::pages) {
            (void)volumeInfo(source, layout, options); // checks sides
            // A page is decoded as a whole, for a region too; the expansion is checked with all pages.
            checkClaim(source,
                       {layout.width, layout.height, layout.bits,
                        2 * layout.width * layout.height * layout.voxelBytes(), UINT64_MAX, true},
                       options.limits);
            layout.decoder = dicomPages(source, file.header, file.samples, file.stack.order);
        }
        LoadedImage loaded = readVolumePage(source, layout, options, control);
        complete(source, file, loaded.info);
        return loaded;
    }

    std::optional<SliceFiles> arranged(std::span<const std::filesystem::path> files) const override {
        return arrangedDicomSlices(files);
    }
    std::optional<SliceFiles> seriesOf(const SourceFile& source) const override { return dicomSeriesOf(source); }
};

} // namespace

const ImageReader& dicomReader() {
    static const DicomReader reader;
    return reader;
}

bool hasDicomMark(const std::filesystem::path& path) noexcept {
    try {
        return isDicom(openSource(path));
    } catch (const std::exception&) {
        return false;
    }
}

} // namespace pollard
