#include "formats/dicom/dicom_header.hpp"

#include "base/text.hpp"
#include "formats/dicom/dicom_elements.hpp"
#include "io/volumes/header_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace pollard {

namespace {

constexpr std::uint64_t kPreamble = 128;
constexpr std::uint32_t kMetaGroup = 2;
constexpr std::uint32_t kTransferSyntax = 0x00020010;
constexpr std::uint32_t kShared = 0x52009229;
constexpr std::uint32_t kPerFrame = 0x52009230;
constexpr const char* kImplicit = "1.2.840.10008.1.2";

/// Whether directions differ by rounding only.
bool areParallel(const std::array<AxisDirection, 2>& some, const std::array<AxisDirection, 2>& others) {
    constexpr double kRounding = 1e-3;
    for (std::size_t axis = 0; axis < some.size(); ++axis) {
        for (std::size_t i = 0; i < some[axis].size(); ++i) {
            if (std::abs(some[axis][i] - others[axis][i]) > kRounding) {
                return false;
            }
        }
    }
    return true;
}

class HeaderReader {
public:
    explicit HeaderReader(const SourceFile& source) : source_(source) {}

    DicomHeader read() {
        DicomElements meta(source_, kPreamble + 4, false);
        while (meta.nextGroup() == kMetaGroup) {
            if (const auto element = meta.next(); element && element->tag == kTransferSyntax) {
                header_.syntax = text(meta, *element);
            }
        }
        requireReadableSyntax();
        DicomElements elements(source_, meta.position(), header_.syntax == kImplicit);
        while (const auto element = elements.next()) {
            if (element->outermost == 0) {
                if (takePixels(*element)) {
                    break;
                }
                take(elements, *element);
            } else if (element->outermost == kShared || element->outermost == kPerFrame) {
                takeOfFrames(elements, *element);
            }
        }
        finish();
        return std::move(header_);
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw readError(ErrorCode::fileDamaged, source_.path, "damaged DICOM: " + why);
    }

    /// Others are read with their elements in explicit little-endian order.
    void requireReadableSyntax() const {
        constexpr const char* kBigEndian = "1.2.840.10008.1.2.2";
        constexpr const char* kDeflated = "1.2.840.10008.1.2.1.99";
        if (header_.syntax.empty()) {
            fail("the transfer syntax is not stated");
        }
        if (header_.syntax == kBigEndian || header_.syntax == kDeflated) {
            throw readError(ErrorCode::formatUnsupported, source_.path,
                            std::string("DICOM files in ") +
                                (header_.syntax == kDeflated ? "deflated form" : "big-endian order") +
                                " are not supported");
        }
    }

    static std::string text(DicomElements& elements, const DicomElement& element) {
        constexpr std::size_t kMost = 1024;
        std::string bytes = elements.bytes(element, kMost);
        while (!bytes.empty() && (bytes.back() == '\0' || bytes.back() == ' ')) {
            bytes.pop_back();
        }
        return bytes;
    }

    /// Numbers of a text, none beyond a thousand kilometres; empty if there are others or fewer than @p count.
    static std::vector<double> reals(DicomElements& elements, const DicomElement& element, std::size_t count) {
        constexpr double kLargest = 1e9;
        std::vector<double> numbers;
        const std::string all = text(elements, element);
        std::string_view rest = all;
        while (numbers.size() < count) {
            const std::size_t end = std::min(rest.find('\\'), rest.size());
            const auto number = realOf(trimmed(rest.substr(0, end)));
            if (!number || !(std::abs(*number) <= kLargest)) {
                return {};
            }
            numbers.push_back(*number);
            if (end == rest.size()) {
                break;
            }
            rest.remove_prefix(end + 1);
        }
        return numbers.size() == count ? numbers : std::vector<double>();
    }
    static std::optional<double> real(DicomElements& elements, const DicomElement& element) {
        const std::vector<double> numbers = reals(elements, element, 1);
        return numbers.empty() ? std::nullopt : std::optional(numbers[0]);
    }
    static std::int64_t integer(DicomElements& elements, const DicomElement& element) {
        return integerOf(trimmed(text(elements, element))).value_or(0);
    }
    /// Unsigned numbers of 16 bits; those that are missing are 0.
    static std::array<std::uint16_t, 3> shorts(DicomElements& elements, const DicomElement& element) {
        std::array<std::uint16_t, 3> numbers{};
        const std::string bytes = elements.bytes(element, sizeof numbers);
        for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
            numbers[i / 2] = static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[i]) |
                                                        static_cast<unsigned char>(bytes[i + 1]) << 8);
        }
        return numbers;
    }

    /// A floating-point number of 32 or 64 bits; nothing for others.
    static std::optional<double> binaryReal(DicomElements& elements, const DicomElement& element) {
        const std::string bytes = elements.bytes(element, sizeof(double));
        const auto as = [&bytes]<class T>(T number) {
            std::memcpy(&number, bytes.data(), sizeof number);
            return std::isnan(number) ? std::nullopt : std::optional<double>(number);
        };
        return bytes.size() == sizeof(float)    ? as(float{})
               : bytes.size() == sizeof(double) ? as(double{})
                                                : std::nullopt;
    }

    bool takePixels(const DicomElement& element) {
        if (element.tag != kDicomPixels && element.tag != kDicomFloatPixels && element.tag != kDicomDoublePixels) {
            return false;
        }
        header_.pixels = element.tag;
        header_.begin = element.begin;
        header_.length = element.length;
        header_.isEncapsulated = element.isEncapsulated;
        return true;
    }

    void take(DicomElements& elements, const DicomElement& element) {
        const auto number = [&] { return shorts(elements, element)[0]; };
        switch (element.tag) {
        case 0x00080060:
            header_.modality = text(elements, element);
            break;
        case 0x0008103e:
            header_.description = text(elements, element);
            break;
        case 0x0020000e:
            header_.series = text(elements, element);
            break;
        case 0x00200011:
            header_.seriesNumber = text(elements, element);
            break;
        case 0x00200012:
            header_.acquisition = integer(elements, element);
            break;
        case 0x00200013:
            header_.instance = integer(elements, element);
            break;
        case 0x00200100:
            header_.temporal = integer(elements, element);
            break;
        case 0x00181063: // time of a frame, or times of frames
        case 0x00181065:
            header_.isCine = element.length > 0;
            break;
        case 0x00480006: // columns of the whole image
            header_.isTiled = true;
            break;
        case 0x00280002:
            header_.samples = number();
            break;
        case 0x00280004:
            header_.photometric = text(elements, element);
            break;
        case 0x00280006:
            header_.isPlanar = number() == 1;
            break;
        case 0x00280008:
            takeFrames(integer(elements, element));
            break;
        case 0x00280010:
            header_.rows = number();
            break;
        case 0x00280011:
            header_.columns = number();
            break;
        case 0x00280100:
            header_.bitsAllocated = number();
            break;
        case 0x00280101:
            header_.bitsStored = number();
            break;
        case 0x00280102:
            header_.highBit = number();
            break;
        case 0x00280103:
            header_.isSigned = number() == 1;
            break;
        case 0x00280120:
            header_.padding = number();
            break;
        case 0x00280121:
            header_.paddingLimit = number();
            break;
        case 0x00280122:
        case 0x00280123:
            header_.realPadding = binaryReal(elements, element);
            break;
        case 0x00280124:
        case 0x00280125:
            header_.realPaddingLimit = binaryReal(elements, element);
            break;
        case 0x00541001:
            header_.units = text(elements, element);
            break;
        case 0x00283000:
            header_.hasValueTable = true;
            break;
        case 0x00281054:
            header_.rescaleType = text(elements, element);
            break;
        case 0x00281101:
        case 0x00281102:
        case 0x00281103:
            takePalette(header_.palette[element.tag - 0x00281101], shorts(elements, element));
            break;
        case 0x00281201:
        case 0x00281202:
        case 0x00281203:
            header_.palette[element.tag - 0x00281201].begin = element.begin;
            header_.palette[element.tag - 0x00281201].bytes = element.length;
            break;
        case 0x00181164: // spacing at the detector or of a scanned film, where there is no other
        case 0x00182010:
            takeSpacing(elements, element, false);
            break;
        default:
            takeGeometry(elements, element, header_.plane);
        }
    }

    void takeFrames(std::int64_t frames) {
        if (frames < 0 || frames > std::numeric_limits<std::int32_t>::max()) {
            fail("the number of frames is " + std::to_string(frames));
        }
        header_.frames = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(frames));
    }

    static void takePalette(DicomPalette& palette, const std::array<std::uint16_t, 3>& numbers) {
        constexpr std::uint64_t kMost = 65536;
        palette.entries = numbers[0] == 0 ? kMost : numbers[0];
        palette.first = numbers[1];
        palette.bits = numbers[2];
    }

    /// Rows come before columns: the height, then the width of a pixel.
    void takeSpacing(DicomElements& elements, const DicomElement& element, bool prevails) {
        const std::vector<double> sides = reals(elements, element, 2);
        if (!sides.empty() && sides[0] > 0 && sides[1] > 0 && (prevails || !header_.spacing)) {
            header_.spacing = {sides[1], sides[0]};
        }
    }

    void takeGeometry(DicomElements& elements, const DicomElement& element, DicomPlane& plane) {
        constexpr std::size_t kCoordinates = 3;
        switch (element.tag) {
        case 0x00200032:
            if (const auto place = reals(elements, element, kCoordinates); !place.empty()) {
                plane.position = {place[0], place[1], place[2]};
            }
            break;
        case 0x00200037:
            if (const auto cosines = reals(elements, element, 2 * kCoordinates); !cosines.empty()) {
                const std::array<AxisDirection, 2> directions{
                    {{cosines[0], cosines[1], cosines[2]}, {cosines[3], cosines[4], cosines[5]}}};
                header_.isTurning =
                    header_.isTurning || (header_.directions && !areParallel(*header_.directions, directions));
                header_.directions = directions;
            }
            break;
        case 0x00281052:
            plane.intercept = real(elements, element);
            break;
        case 0x00281053:
            plane.slope = real(elements, element);
            break;
        case 0x00280030:
            takeSpacing(elements, element, true);
            break;
        case 0x00281050:
            windowCentre_ = windowCentre_ ? windowCentre_ : real(elements, element);
            break;
        case 0x00281051:
            windowWidth_ = windowWidth_ ? windowWidth_ : real(elements, element);
            break;
        case 0x00281056:
            isExactWindow_ = text(elements, element) == "LINEAR_EXACT";
            break;
        case 0x00180050: // thickness, which counts without a distance
            thickness_ = std::abs(real(elements, element).value_or(0));
            break;
        case 0x00180088:
            header_.distance = std::abs(real(elements, element).value_or(0));
            break;
        default:
            break;
        }
    }

    void takeOfFrames(DicomElements& elements, const DicomElement& element) {
        constexpr std::array<std::uint32_t, 5> kMacros{0x00209113, 0x00209116, 0x00289110, 0x00289132, 0x00289145};
        if (std::ranges::find(kMacros, element.sequence) == kMacros.end()) {
            return;
        }
        if (element.outermost == kShared) {
            takeGeometry(elements, element, header_.plane);
            return;
        }
        if (element.item >= header_.frames) {
            fail("more frames are described than there are");
        }
        if (element.item >= header_.framePlanes.size()) {
            header_.framePlanes.resize(element.item + 1);
        }
        takeGeometry(elements, element, header_.framePlanes[element.item]);
    }

    /// The window by its centre and width (DICOM PS3.3, C.11.2.1.2 and C.11.2.1.3.2): of whole numbers from the first
    /// to the last one, unless it is exact.
    [[nodiscard]] std::optional<ChannelWindow> window() const {
        const double half = (windowWidth_.value_or(0) - (isExactWindow_ ? 0 : 1)) / 2;
        if (!windowCentre_ || !(half > 0)) {
            return std::nullopt;
        }
        const double centre = *windowCentre_ - (isExactWindow_ ? 0 : 0.5);
        return ChannelWindow{centre - half, centre + half};
    }

    void finish() {
        header_.window = window();
        if (header_.distance == 0) {
            header_.distance = thickness_;
        }
        if (!header_.framePlanes.empty()) {
            // Frames without a description of their own have the shared one.
            header_.framePlanes.resize(header_.framePlanes.size() == header_.frames ? header_.frames : 0);
            for (DicomPlane& plane : header_.framePlanes) {
                plane.position = plane.position ? plane.position : header_.plane.position;
                plane.slope = plane.slope ? plane.slope : header_.plane.slope;
                plane.intercept = plane.intercept ? plane.intercept : header_.plane.intercept;
            }
        }
        if (header_.bitsStored == 0) {
            header_.bitsStored = header_.bitsAllocated;
        }
        if (header_.highBit == 0) {
            header_.highBit = header_.bitsStored - 1;
        }
    }

    const SourceFile& source_;
    DicomHeader header_;
    double thickness_ = 0;
    std::optional<double> windowCentre_; ///< the first of several windows
    std::optional<double> windowWidth_;
    bool isExactWindow_ = false;
};

} // namespace

bool isDicom(const SourceFile& source) {
    constexpr std::size_t kMark = 4;
    if (source.size < kPreamble + kMark) {
        return false;
    }
    std::array<char, kMark> mark{};
    const FilePointer file = openForReading(source);
    return ::fseeko(file.get(), static_cast<off_t>(kPreamble), SEEK_SET) == 0 &&
           std::fread(mark.data(), 1, mark.size(), file.get()) == mark.size() &&
           std::memcmp(mark.data(), "DICM", kMark) == 0;
}

DicomHeader readDicomHeader(const SourceFile& source) { return HeaderReader(source).read(); }

} // namespace pollard
