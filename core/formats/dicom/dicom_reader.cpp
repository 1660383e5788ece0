#include "formats/dicom/dicom_header.hpp"
#include "formats/dicom/dicom_pixels.hpp"
#include "formats/dicom/dicom_series.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

/// Unit of the values (DICOM PS3.3, C.8.2.1 and C.8.9.1); empty: none, or unknown.
std::string unitOf(const DicomHeader& header) {
    constexpr std::array<std::pair<std::string_view, const char*>, 6> kUnits{{{"BQML", "Bq/ml"},
                                                                              {"CNTS", "counts"},
                                                                              {"CPS", "counts/s"},
                                                                              {"GML", "g/ml"},
                                                                              {"NONE", ""},
                                                                              {"US", ""}}}; // unspecified
    const DicomPlane& plane = header.firstPlane();
    std::string unit = header.units.empty() ? header.rescaleType : header.units;
    if (unit.empty() && header.modality == "CT" && plane.intercept) {
        unit = "HU"; // other units have to be stated
    }
    const auto* const known = std::ranges::find(kUnits, unit, [](const auto& each) { return each.first; });
    return known == kUnits.end() ? factText(unit, 16) : known->second;
}

void setScale(DicomFile& file) {
    const DicomHeader& header = file.header;
    VolumeLayout& layout = file.layout;
    if (file.samples.isColour || file.samples.isInverted) {
        return;
    }
    const auto scaleOf = [](const DicomPlane& plane) {
        const double slope = plane.slope.value_or(1);
        return Calibration{slope != 0 ? slope : 1, plane.intercept.value_or(0), {}};
    };
    const DicomPlane& first = header.firstPlane();
    if (!std::ranges::all_of(header.framePlanes, [&](const DicomPlane& p) { return scaleOf(p) == scaleOf(first); })) {
        layout.notes.emplace_back("frames have values of different scales: shown as stored");
        return;
    }
    layout.scale = scaleOf(first);
    if (!header.hasValueTable) {
        layout.scale.unit = unitOf(header);
        layout.window = header.window;
    }
}

/// As VolumeLayout::padding.
std::optional<std::pair<double, double>> paddingOf(const DicomFile& file) {
    const DicomHeader& header = file.header;
    if (file.samples.kind == SampleKind::real && header.realPadding) {
        return std::minmax({*header.realPadding, header.realPaddingLimit.value_or(*header.realPadding)});
    }
    if (!header.padding || file.samples.isColour || file.samples.kind == SampleKind::real) {
        return std::nullopt;
    }
    const auto sampleOf = [&](std::uint16_t bits) {
        const int sample = header.isSigned ? static_cast<std::int16_t>(bits) : static_cast<int>(bits);
        if (!file.samples.isInverted) {
            return static_cast<double>(sample);
        }
        return (header.isSigned ? 0 : std::ldexp(1.0, header.bitsStored)) - 1 - sample;
    };
    return std::minmax({sampleOf(*header.padding), sampleOf(header.paddingLimit.value_or(*header.padding))});
}

void addDicomFacts(DicomFile& file) {
    const DicomHeader& header = file.header;
    VolumeLayout& layout = file.layout;
    if (const auto& padding = layout.padding) {
        layout.facts.emplace_back("Padding",
                                  factNumber(padding->first) +
                                      (padding->first == padding->second ? "" : " .. " + factNumber(padding->second)));
    }
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty()) {
            layout.facts.emplace_back(name, factText(text, 64));
        }
    };
    add("Modality", header.modality);
    add("Photometric interpretation", header.photometric);
    add("Unit of values", layout.scale.unit);
    std::optional<AxisDirection> position = header.plane.position;
    if (!header.framePlanes.empty()) {
        position = header.framePlanes[file.stack.order.empty() ? 0 : file.stack.order.front()].position;
    }
    const bool isPlaced = file.stack.distance.distance > 0;
    layout.place = placeOf(header, position, file.stack.step);
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
        layout.notes.emplace_back("the pages are tiles of a larger image");
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
    layout.padding = paddingOf(file);
    setScale(file);
    if (header.spacing) {
        layout.pixelSize = PixelSize{header.spacing->first, header.spacing->second, "mm", "DICOM", false};
        layout.pixelSize->z = file.stack.distance.distance > 0 ? file.stack.distance.distance : header.distance;
    }
    addDicomFacts(file);
    return file;
}

class DicomPage final : public VolumePage {
public:
    DicomPage(const SourceFile& source, const ReadOptions& options) : DicomPage(source, options, fileOf(source)) {}

    bool mayHaveGaps() const override { return true; }

    LoadedImage read(const JobControl& control) override {
        if (layout_.coding == VolumeLayout::Coding::pages) {
            // A page is decoded as a whole, for a region too; the expansion is checked with all pages.
            checkClaim(source_,
                       {layout_.width, layout_.height, layout_.bits,
                        2 * layout_.width * layout_.height * layout_.voxelBytes(), UINT64_MAX, true},
                       options_.limits);
            layout_.decoder = dicomPages(source_, file_.header, file_.samples, file_.stack.order);
        }
        return VolumePage::read(control);
    }
    bool readSlices(int, const TakeSlice&, const JobControl&) override { return false; }

private:
    DicomPage(const SourceFile& source, const ReadOptions& options, DicomFile file)
        : VolumePage(source, std::move(file.layout), options), file_(std::move(file)) {
        const DicomSamples& samples = file_.samples;
        info_.compression = compressionOf(source, file_.header);
        info_.photometric = samples.isPalette    ? "Palette"
                            : samples.isYcc      ? "YCbCr"
                            : samples.isColour   ? "RGB"
                            : samples.isInverted ? "MinIsWhite"
                                                 : "MinIsBlack";
        if (samples.kind != SampleKind::real && !samples.isColour) {
            info_.bits = file_.header.bitsStored;
        }
    }

    DicomFile file_; ///< without its layout
};

} // namespace

const ImageReader& dicomReader() {
    static const ImageReader reader{.filter = {"DICOM", {"dcm", "dicom"}},
                                    .recognises = isDicom,
                                    .open = openAs<DicomPage>,
                                    .readsRegions = true,
                                    .arranged = arrangedDicomSlices,
                                    .seriesOf = dicomSeriesOf};
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
