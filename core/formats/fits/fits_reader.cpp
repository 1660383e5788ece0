#include "formats/fits/fits_file.hpp"
#include "formats/fits/fits_scan.hpp"
#include "io/metadata/length_units.hpp"
#include "io/read_support.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace pollard {

namespace {

constexpr std::uint64_t kRowsAtOnce = 64;
constexpr const char* kUnitFact = "Unit of values";

/// How to read values of one of cfitsio's image types.
struct ValueKind {
    int image = 0; ///< BYTE_IMG ...
    int data = 0;  ///< TBYTE ...
    int bytes = 1;
    const char* format = "unsigned";
    std::optional<ValueType> mapped; ///< unset for levels
};

const ValueKind* findKind(int image) {
    static const std::array<ValueKind, 10> kKinds = {{{BYTE_IMG, TBYTE, 1, "unsigned", {}},
                                                      {USHORT_IMG, TUSHORT, 2, "unsigned", {}},
                                                      {SBYTE_IMG, TSBYTE, 1, "signed", ValueType::i8},
                                                      {SHORT_IMG, TSHORT, 2, "signed", ValueType::i16},
                                                      {LONG_IMG, TINT, 4, "signed", ValueType::i32},
                                                      {ULONG_IMG, TUINT, 4, "unsigned", ValueType::u32},
                                                      {LONGLONG_IMG, TLONGLONG, 8, "signed", ValueType::i64},
                                                      {ULONGLONG_IMG, TULONGLONG, 8, "unsigned", ValueType::u64},
                                                      {FLOAT_IMG, TFLOAT, 4, "float", ValueType::f32},
                                                      {DOUBLE_IMG, TDOUBLE, 8, "float", ValueType::f64}}};
    const auto at = std::find_if(kKinds.begin(), kKinds.end(), [&](const ValueKind& k) { return k.image == image; });
    return at == kKinds.end() ? nullptr : &*at;
}

/// Place and type of the values of a page.
struct FitsPlane {
    FitsUnit unit;
    std::uint64_t number = 0; ///< index in the unit
    const ValueKind* kind = nullptr;
    bool isScaled = false; ///< the values are stored integers, to which a scale applies
};

/// Axes of a file's only image: the third axis is depth, or time if stated; further axes follow.
std::vector<StackAxis> axesOfCube(FitsFile& file, const FitsUnit& unit) {
    std::vector<StackAxis> axes;
    std::string names = "zt";
    if (const std::string type = file.text("CTYPE3"); type.starts_with("TIME") || type.starts_with("UTC")) {
        names = "tz";
    } else if (type.starts_with("STOKES")) {
        names = "cz";
    }
    for (std::size_t i = 2; i < unit.sides.size(); ++i) {
        if (unit.sides[i] == 1) {
            continue;
        }
        const std::size_t at = axes.size();
        if (at >= names.size()) {
            return {}; // more axes than names: pages without a meaning
        }
        axes.push_back({names[at], static_cast<int>(unit.sides[i]), {}});
        const std::string number = std::to_string(i + 1);
        const std::string stated = file.text(("CUNIT" + number).c_str());
        const double step = file.number(("CDELT" + number).c_str()).value_or(0);
        if (names[at] == 't' && secondsOf(stated) && step > 0 && std::isfinite(step)) {
            axes.back().step = step;
            axes.back().unit = stated;
        }
    }
    return axes;
}

std::vector<StackAxis> axesOfPages(FitsFile& file, const std::vector<FitsUnit>& units, int pages) {
    if (pages == 1) {
        return {};
    }
    if (units.size() == 1) {
        if (auto axes = axesOfCube(file, units[0]); !axes.empty()) {
            return axes;
        }
        return {{'p', pages, {}}};
    }
    constexpr int kMaxLabels = 10000;
    StackAxis axis{'p', pages, {}};
    for (const FitsUnit& unit : units) {
        const std::string name = unit.name.empty() ? "HDU " + std::to_string(unit.number) : unit.name;
        for (std::uint64_t plane = 0; plane < unit.planes() && pages <= kMaxLabels; ++plane) {
            axis.labels.push_back(unit.planes() > 1 ? name + " [" + std::to_string(plane + 1) + "]" : name);
        }
    }
    return {std::move(axis)};
}

/// Angle of a pixel on the sky from CDELT or the CD matrix, in arcsec.
std::optional<PixelSize> skyPixelSize(FitsFile& file) {
    const std::string type = file.text("CTYPE1");
    const std::string unit = file.text("CUNIT1");
    const bool celestial = type.starts_with("RA") || type.starts_with("DEC") ||
                           (type.size() > 3 && (type.substr(1, 3) == "LON" || type.substr(1, 3) == "LAT")) ||
                           type.starts_with("HPLN") || type.starts_with("HPLT");
    const double arcsec = unit.starts_with("arcsec") ? 1 : unit.starts_with("arcmin") ? 60 : 3600;
    if (!celestial && unit != "deg" && arcsec == 3600) {
        return std::nullopt;
    }
    PixelSize size{0, 0, "arcsec", "FITS WCS", false};
    const auto a = file.number("CD1_1");
    const auto d = file.number("CD2_2");
    if (a || d) {
        size.x = std::hypot(a.value_or(0), file.number("CD2_1").value_or(0)) * arcsec;
        size.y = std::hypot(d.value_or(0), file.number("CD1_2").value_or(0)) * arcsec;
    } else {
        size.x = std::abs(file.number("CDELT1").value_or(0)) * arcsec;
        size.y = std::abs(file.number("CDELT2").value_or(0)) * arcsec;
    }
    const bool usable = size.x > 0 && size.y > 0 && std::isfinite(size.x) && std::isfinite(size.y);
    return usable ? std::optional(size) : std::nullopt;
}

/// World coordinates of a plane of the unit; nothing if its header states none.
std::optional<SkyHeader> skyOf(FitsFile& file, const FitsPlane& plane, std::uint32_t height) {
    SkyHeader sky;
    sky.cards = file.skyCards();
    const bool isStated = std::ranges::any_of(
        sky.cards, [](const std::string& card) { return card.starts_with("CTYPE") || card.starts_with("CRPIX"); });
    if (!isStated) {
        return std::nullopt;
    }
    sky.height = height;
    const std::vector<std::uint64_t>& sides = plane.unit.sides;
    sky.first[2] = sides.size() > 2 ? static_cast<double>(plane.number % sides[2]) : 0;
    return sky;
}

void describeSky(const SkyHeader& sky, ImageInfo& info) {
    std::string text = sky.text("CTYPE1");
    if (text.empty()) {
        return;
    }
    text += ", " + sky.text("CTYPE2");
    for (const char* const keyword : {"RADESYS", "RADECSYS"}) {
        if (const std::string frame = sky.text(keyword); !frame.empty()) {
            text += " (" + frame + ")";
            break;
        }
    }
#ifndef POLLARD_WITH_WCS
    text += ": positions are not computed: this build has no wcslib";
#endif
    info.facts.emplace_back("Sky coordinates", text);
}

/// Adds facts of the unit; missing facts come from the first unit.
void addFacts(FitsFile& file, int unit, ImageInfo& info) {
    constexpr std::array<std::pair<const char*, const char*>, 7> kKeys = {{{"OBJECT", "Object"},
                                                                           {"TELESCOP", "Telescope"},
                                                                           {"INSTRUME", "Instrument"},
                                                                           {"DATE-OBS", "Observed"},
                                                                           {"EXPTIME", "Exposure time (s)"},
                                                                           {"FILTER", "Filter"},
                                                                           {"BUNIT", kUnitFact}}};
    std::array<std::string, kKeys.size()> values;
    for (const int number : {unit, 1}) {
        file.moveTo(number);
        for (std::size_t i = 0; i < kKeys.size(); ++i) {
            values[i] = values[i].empty() ? file.text(kKeys[i].first) : values[i];
        }
    }
    file.moveTo(unit);
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        if (!values[i].empty()) {
            info.facts.emplace_back(kKeys[i].second, values[i]);
        }
    }
}

int countPages(const SourceFile& source, const std::vector<FitsUnit>& units) {
    std::uint64_t pages = 0;
    for (const FitsUnit& unit : units) {
        pages += std::min<std::uint64_t>(unit.planes(), std::numeric_limits<std::uint32_t>::max());
    }
    if (pages > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
        throw readError(ErrorCode::fileDamaged, source.path, "damaged FITS: more planes than the file has bytes");
    }
    return static_cast<int>(pages);
}

void requireSides(const SourceFile& source, const FitsUnit& unit) {
    constexpr std::uint64_t kMaxSide = std::numeric_limits<std::uint32_t>::max();
    if (unit.sides[0] > kMaxSide || unit.sides[1] > kMaxSide) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        std::to_string(unit.sides[0]) + " x " + std::to_string(unit.sides[1]) +
                            " pixels are more than the limit of " + std::to_string(Image::kMaxPixels) + " pixels");
    }
}

[[noreturn]] void failWithoutUnits(const SourceFile& source, const std::string& damage, bool unsupported) {
    if (damage.empty()) {
        throw readError(ErrorCode::formatUnsupported, source.path, "the FITS file holds no image of two axes");
    }
    throw unsupported ? readError(ErrorCode::formatUnsupported, source.path, "FITS: " + damage)
                      : readError(ErrorCode::fileDamaged, source.path, "damaged FITS: " + damage);
}

FitsPlane readFitsHeader(const SourceFile& source, const ReadOptions& options, const FitsScan& scan, FitsFile& file,
                         ImageInfo& info) {
    std::string damage = scan.damage;
    const std::vector<FitsUnit> units = file.findUnits(scan.soundUnits, damage);
    if (units.empty()) {
        failWithoutUnits(source, damage, scan.unsupported);
    }
    FitsPlane plane;
    info.pages = countPages(source, units);
    info.page = options.page;
    requireIndex(source.path, "page", options.page, info.pages, "file");
    plane.number = static_cast<std::uint64_t>(options.page);
    auto unit = units.begin();
    for (; plane.number >= unit->planes(); ++unit) {
        plane.number -= unit->planes();
    }
    plane.unit = *unit;
    file.moveTo(unit->number);
    requireSides(source, *unit);
    const int type = file.valueType();
    plane.isScaled = (type == FLOAT_IMG || type == DOUBLE_IMG) && file.storedBits() > 0;
    plane.kind = findKind(plane.isScaled ? file.storedBits() : type);
    if (plane.kind == nullptr) {
        throw readError(ErrorCode::formatUnsupported, source.path, "FITS values of an unknown type");
    }
    info.axes = axesOfPages(file, units, info.pages);
    file.moveTo(unit->number);
    info.format = "FITS";
    info.compression = unit->compressed ? file.text("ZCMPTYPE") : "none";
    info.photometric = "MinIsBlack";
    info.width = static_cast<std::uint32_t>(unit->sides[0]);
    info.height = static_cast<std::uint32_t>(unit->sides[1]);
    info.bits = 8 * plane.kind->bytes;
    info.sampleFormat = plane.kind->format;
    info.samples = 1;
    info.pixelSize = skyPixelSize(file);
    info.sky = skyOf(file, plane, info.height);
    if (!unit->name.empty()) {
        info.facts.emplace_back("HDU", unit->name);
    }
    addFacts(file, unit->number, info);
    if (info.sky) {
        describeSky(*info.sky, info);
    }
    const auto stated = std::ranges::find(info.facts, kUnitFact, [](const auto& fact) { return fact.first; });
    info.calibration = calibrationOf(plane.isScaled ? file.number("BSCALE").value_or(1) : 1,
                                     plane.isScaled ? file.number("BZERO").value_or(0) : 0,
                                     stated == info.facts.end() ? std::string() : stated->second);
    if (!damage.empty()) {
        info.notes.push_back("data after the last page are not read: " + damage);
    }
    if (options.channel.kind == ChannelChoice::Kind::sample && options.channel.sample > 0) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "channel " + std::to_string(options.channel.sample) +
                            " does not exist, the image has channel 0 only");
    }
    return plane;
}

/// Values of a part of the plane, top row first (FITS stores the bottom row first).
struct Values {
    Buffer<std::uint64_t> data; ///< holds the values in their type
    Mask valid;
};

Values valuesOf(FitsFile& file, const FitsPlane& plane, const ImageInfo& info, const PixelRegion& region,
                const JobControl& control) {
    const std::uint64_t width = info.width;
    const auto bytes = static_cast<std::size_t>(plane.kind->bytes);
    const std::uint64_t pixels = std::uint64_t{region.width} * region.height;
    Values values{Buffer<std::uint64_t>(pixels * bytes / sizeof(std::uint64_t) + 1),
                  Mask(region.width, region.height, true)};
    auto* out = reinterpret_cast<std::byte*>(values.data.data());
    // Rows of the file that the region covers, in bands of one row of compressed tiles.
    const std::uint64_t firstRow = info.height - region.y - region.height;
    const std::uint64_t endRow = firstRow + region.height;
    const std::uint64_t tileRows = file.tileRows(plane.unit);
    const std::uint64_t band = tileRows > 1 ? std::min<std::uint64_t>(tileRows, info.height) : kRowsAtOnce;
    const std::uint64_t bandRows =
        std::min<std::uint64_t>(band, std::max<std::uint64_t>((64ULL << 20) / (width * bytes), 1));
    Buffer<std::uint64_t> rows(width * bandRows * bytes / sizeof(std::uint64_t) + 1);
    if (plane.isScaled) {
        file.takeStoredValues();
    }
    // cfitsio treats infinite values as undefined and tiny ones as 0, so stored floats are read unchanged.
    const bool plainFloats = file.storedBits() < 0 && !plane.unit.compressed;
    std::vector<char> gaps(width * bandRows, '\0');
    for (std::uint64_t row = firstRow; row < endRow;) {
        const std::uint64_t count = std::min(bandRows - row % bandRows, endRow - row);
        const std::uint64_t first = (plane.number * info.height + row) * width;
        file.readValues(plane.kind->data, first, count * width, rows.data(), plainFloats ? nullptr : gaps.data());
        for (std::uint64_t r = 0; r < count; ++r) {
            const auto y = static_cast<std::uint32_t>(endRow - 1 - (row + r));
            std::memcpy(out + std::size_t{y} * region.width * bytes,
                        reinterpret_cast<const std::byte*>(rows.data()) + (r * width + region.x) * bytes,
                        region.width * bytes);
            for (std::uint32_t x = 0; x < region.width; ++x) {
                if (gaps[r * width + region.x + x] != 0) {
                    values.valid.set(x, y, false);
                }
            }
        }
        row += count;
        control.report(static_cast<double>(row - firstRow) / region.height, "reading");
        control.throwIfStopped();
    }
    return values;
}

/// cfitsio marks NaN as undefined; this restores the value, so that it is counted as NaN.
template <class Float> void restoreNan(Values& values, const PixelRegion& region) {
    auto* data = reinterpret_cast<Float*>(values.data.data());
    for (std::uint32_t y = 0; y < region.height; ++y) {
        for (std::uint32_t x = 0; x < region.width; ++x) {
            if (!values.valid.test(x, y)) {
                data[std::size_t{y} * region.width + x] = std::numeric_limits<Float>::quiet_NaN();
            }
        }
    }
}

/// cfitsio must not open a file whose first unit is unsound.
FitsScan soundStart(const SourceFile& source) {
    FitsScan scan = scanFits(source);
    if (scan.soundUnits == 0) {
        failWithoutUnits(source, scan.damage, scan.unsupported);
    }
    return scan;
}

class FitsPage final : public FilePage {
public:
    FitsPage(const SourceFile& source, const ReadOptions& options)
        : FilePage(source, options), plain_(source, options.limits), scan_(soundStart(plain_.source())),
          file_(plain_.source()), plane_(readFitsHeader(plain_.source(), options, scan_, file_, info_)) {}

    LoadedImage read(const JobControl& control) override {
        const SourceFile& source = plain_.source();
        const PixelRegion region = part();
        const std::uint64_t pixels = std::uint64_t{region.width} * region.height;
        checkClaim(source,
                   {region.width, region.height, info_.bits, pixels * static_cast<std::uint64_t>(plane_.kind->bytes),
                    source.size, true},
                   options_.limits);
        Values values = valuesOf(file_, plane_, info_, region, control);
        if (plane_.kind->mapped == ValueType::f32) {
            restoreNan<float>(values, region);
        } else if (plane_.kind->mapped == ValueType::f64) {
            restoreNan<double>(values, region);
        }
        ImageInfo info = info_;
        moveFirst(info.sky, region.x, region.y, 0);
        const auto valid = maskOfGaps(std::move(values.valid), info.invalidPixels);
        if (plane_.kind->mapped) {
            const ValueGrid grid{*plane_.kind->mapped, values.data.data(), region.width, region.height};
            const bool isFloat = std::string_view(plane_.kind->format) == "float";
            return imageOfValues(source, grid, options_, {std::nullopt, isFloat ? nullptr : valid}, std::move(info),
                                 control);
        }
        auto image = std::make_shared<Image>(plane_.kind->bytes == 1 ? PixelType::u8 : PixelType::u16, region.width,
                                             region.height);
        std::memcpy(image->data(), values.data.data(), image->bytes());
        return {std::move(image), valid, std::move(info)};
    }

private:
    PlainFits plain_;
    FitsScan scan_;
    FitsFile file_;
    FitsPlane plane_;
};

} // namespace

const ImageReader& fitsReader() {
    static const ImageReader reader{
        .filter = {"FITS", {"fits", "fit", "fts", "fz", "fits.gz", "fit.gz", "fts.gz"}},
        .recognises = [](const SourceFile& source) { return source.startsWith("SIMPLE  =") || isGzippedFits(source); },
        .open = openAs<FitsPage>,
        .readsRegions = true};
    return reader;
}

} // namespace pollard
