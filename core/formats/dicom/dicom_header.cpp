#include "formats/dicom/dicom_header.hpp"

#include "base/text.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

namespace {

/// A data element other than a sequence, or the pixels of the data set.
struct DicomElement {
    std::uint32_t tag = 0;       ///< group * 65536 + element
    std::uint64_t start = 0;     ///< of the element in the file
    std::uint64_t begin = 0;     ///< of its value
    std::uint64_t length = 0;    ///< bytes of its value
    bool isEncapsulated = false; ///< pixels in fragments, of unknown length
    std::uint32_t outermost = 0; ///< tag of the outermost sequence that contains the element; 0: none
    std::uint64_t item = 0;      ///< item of the outermost sequence, from 0
    std::uint32_t sequence = 0;  ///< tag of the innermost sequence that contains the element; 0: none
};

/// Reads the elements of a little-endian data set (DICOM PS3.5, 7) one after another, in little memory. Skips sequences
/// of known length unless they describe frames, and reads values on request only.
class DicomElements {
public:
    /// @param implicit without value representations. @throws Error(fileUnreadable)
    DicomElements(const SourceFile& source, std::uint64_t begin, bool implicit);

    /// The next element; nothing at the end of the file. Not to be called after an element with pixels.
    /// @throws Error(fileDamaged), Error(limitExceeded) for more elements or deeper sequences than any image has
    std::optional<DicomElement> next();

    /// Group of the next element; 0 at the end of the file.
    [[nodiscard]] std::uint32_t nextGroup();
    /// Place of the next element in the file.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

    /// Leading bytes of the value, at most @p most. @throws Error(fileDamaged) if the file ends before
    [[nodiscard]] std::string bytes(const DicomElement& element, std::size_t most);

private:
    /// A sequence or an item of a sequence.
    struct Level {
        bool isItem = false;
        bool isFragments = false; ///< a sequence of items without elements
        bool implicit = false;
        std::uint32_t tag = 0;   ///< of the sequence
        std::uint64_t end = 0;   ///< kOpen: at the delimiter
        std::uint64_t items = 0; ///< so far
    };
    static constexpr std::uint64_t kOpen = UINT64_MAX;

    [[noreturn]] void fail(const std::string& why) const;
    const std::byte* at(std::uint64_t begin, std::size_t count);
    [[nodiscard]] std::uint64_t number(std::uint64_t begin, int bytes);
    void closeLevels();
    void takeDelimiter(std::uint32_t tag, std::uint64_t length);
    void push(const Level& level);
    /// End of a value. @throws Error(fileDamaged) unless it lies in the file and in all open sequences
    [[nodiscard]] std::uint64_t endOf(std::uint64_t begin, std::uint64_t length) const;

    const SourceFile& source_;
    FilePointer file_;
    bool implicit_;
    std::uint64_t position_;
    std::uint64_t count_ = 0;
    std::vector<Level> levels_;
    std::array<std::byte, 8192> window_{};
    std::uint64_t windowBegin_ = 0;
    std::size_t windowBytes_ = 0;
};

constexpr std::uint32_t kItem = 0xfffee000;
constexpr std::uint32_t kItemEnd = 0xfffee00d;
constexpr std::uint32_t kSequenceEnd = 0xfffee0dd;
constexpr std::uint64_t kUndefined = 0xffffffff;
constexpr std::uint32_t kDelimiters = 0xfffe;
constexpr std::uint32_t kPixels = 0x7fe0;
constexpr std::uint64_t kMostElements = 1 << 22;
constexpr std::size_t kDeepest = 64;

bool isLetter(std::uint64_t c) { return c >= 'A' && c <= 'Z'; }

/// Whether the length of a value representation has 4 bytes.
bool hasLongLength(std::string_view vr) {
    constexpr std::array<std::string_view, 13> kLong{"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                     "SV", "UC", "UN", "UR", "UT", "UV"};
    return std::ranges::find(kLong, vr) != kLong.end();
}

/// Sequences that describe frames: shared and per-frame functional groups, and in their items the position and the
/// orientation of the plane, the measures of pixels, the window and the transformation of their values.
bool describesFrames(std::uint32_t tag) {
    constexpr std::array<std::uint32_t, 7> kTags{0x52009229, 0x52009230, 0x00209113, 0x00209116,
                                                 0x00289110, 0x00289132, 0x00289145};
    return std::ranges::find(kTags, tag) != kTags.end();
}

DicomElements::DicomElements(const SourceFile& source, std::uint64_t begin, bool implicit)
    : source_(source), file_(openForReading(source)), implicit_(implicit), position_(begin) {}

void DicomElements::fail(const std::string& why) const {
    throw readError(ErrorCode::fileDamaged, source_.path, "damaged DICOM: " + why);
}

const std::byte* DicomElements::at(std::uint64_t begin, std::size_t count) {
    if (begin > source_.size || count > source_.size - begin) {
        throw cutOffError(source_, begin + count);
    }
    if (begin < windowBegin_ || begin + count > windowBegin_ + windowBytes_) {
        windowBegin_ = begin;
        windowBytes_ = ::fseeko(file_.get(), static_cast<off_t>(begin), SEEK_SET) != 0
                           ? 0
                           : std::fread(window_.data(), 1, window_.size(), file_.get());
        if (windowBytes_ < count) {
            throw cutOffError(source_, begin + count);
        }
    }
    return window_.data() + (begin - windowBegin_);
}

std::uint64_t DicomElements::number(std::uint64_t begin, int bytes) {
    const std::byte* from = at(begin, static_cast<std::size_t>(bytes));
    std::uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) {
        value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
    }
    return value;
}

void DicomElements::closeLevels() {
    while (!levels_.empty() && position_ >= levels_.back().end) {
        if (position_ > levels_.back().end) {
            fail("an element is longer than its sequence");
        }
        levels_.pop_back();
    }
}

void DicomElements::push(const Level& level) {
    if (levels_.size() == kDeepest) {
        throw readError(ErrorCode::limitExceeded, source_.path,
                        "DICOM sequences are nested more than " + std::to_string(kDeepest / 2) + " deep");
    }
    levels_.push_back(level);
}

std::uint64_t DicomElements::endOf(std::uint64_t begin, std::uint64_t length) const {
    if (length > source_.size - begin) {
        throw cutOffError(source_, begin + length);
    }
    for (const Level& level : levels_) {
        if (begin + length > level.end) {
            fail("an element is longer than its sequence");
        }
    }
    return begin + length;
}

void DicomElements::takeDelimiter(std::uint32_t tag, std::uint64_t length) {
    const bool inItem = !levels_.empty() && levels_.back().isItem;
    const bool inSequence = !levels_.empty() && !inItem;
    position_ += 8;
    if (tag == kItem && inSequence) {
        Level& sequence = levels_.back();
        ++sequence.items;
        if (sequence.isFragments) {
            position_ = endOf(position_, length);
            return;
        }
        Level item = sequence;
        item.isItem = true;
        item.end = length == kUndefined ? kOpen : endOf(position_, length);
        push(item);
    } else if (((tag == kItemEnd && inItem) || (tag == kSequenceEnd && inSequence)) && levels_.back().end == kOpen) {
        levels_.pop_back();
    } else {
        fail("a delimiter of sequences is out of place");
    }
}

std::optional<DicomElement> DicomElements::next() {
    for (;;) {
        closeLevels();
        if (position_ >= source_.size) {
            if (!levels_.empty()) {
                throw cutOffError(source_, position_ + 1);
            }
            return std::nullopt;
        }
        if (++count_ > kMostElements) {
            throw readError(ErrorCode::limitExceeded, source_.path,
                            "a DICOM header of more than " + std::to_string(kMostElements) + " elements");
        }
        DicomElement element;
        element.start = position_;
        element.tag = static_cast<std::uint32_t>(number(position_, 2) << 16 | number(position_ + 2, 2));
        if (element.tag >> 16 == kDelimiters) {
            takeDelimiter(element.tag, number(position_ + 4, 4));
            continue;
        }
        if (!levels_.empty() && !levels_.back().isItem) {
            fail("an element lies between the items of a sequence");
        }
        const bool implicit = levels_.empty() ? implicit_ : levels_.back().implicit;
        char vr[2] = {};
        element.begin = position_ + 8;
        if (implicit) {
            element.length = number(position_ + 4, 4);
        } else {
            vr[0] = static_cast<char>(number(position_ + 4, 1));
            vr[1] = static_cast<char>(number(position_ + 5, 1));
            if (!isLetter(static_cast<unsigned char>(vr[0])) || !isLetter(static_cast<unsigned char>(vr[1]))) {
                fail("an element at byte " + std::to_string(position_) + " has no value representation");
            }
            if (hasLongLength({vr, 2})) {
                element.length = number(position_ + 8, 4);
                element.begin += 4;
            } else {
                element.length = number(position_ + 6, 2);
            }
        }
        const std::string_view type(vr, implicit ? 0 : 2);
        const bool isUndefined = element.length == kUndefined && (implicit || hasLongLength(type));
        if (levels_.empty() && element.tag >> 16 == kPixels) {
            element.isEncapsulated = isUndefined;
            position_ = isUndefined ? source_.size : std::min(source_.size, element.begin + element.length);
            return element;
        }
        if (isUndefined || type == "SQ" || (implicit && describesFrames(element.tag))) {
            if (!isUndefined && !describesFrames(element.tag)) {
                position_ = endOf(element.begin, element.length);
                continue;
            }
            Level sequence;
            sequence.isFragments = type == "OB" || type == "OW";
            sequence.implicit = implicit || type == "UN";
            sequence.tag = element.tag;
            sequence.end = isUndefined ? kOpen : endOf(element.begin, element.length);
            push(sequence);
            position_ = element.begin;
            continue;
        }
        position_ = endOf(element.begin, element.length);
        if (!levels_.empty()) {
            element.outermost = levels_.front().tag;
            element.item = levels_.front().items - 1;
            element.sequence = levels_.back().tag;
        }
        return element;
    }
}

std::uint32_t DicomElements::nextGroup() {
    return position_ + 2 > source_.size ? 0 : static_cast<std::uint32_t>(number(position_, 2));
}

std::string DicomElements::bytes(const DicomElement& element, std::size_t most) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(element.length, std::min(most, window_.size())));
    if (count == 0) {
        return {};
    }
    return {reinterpret_cast<const char*>(at(element.begin, count)), count};
}

constexpr std::uint64_t kPreamble = 128;
constexpr std::uint32_t kMetaGroup = 2;
constexpr std::uint32_t kTransferSyntax = 0x00020010;
constexpr std::uint32_t kShared = 0x52009229;
constexpr std::uint32_t kPerFrame = 0x52009230;
constexpr const char* kImplicit = "1.2.840.10008.1.2";

/// Whether directions are equal except for rounding.
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

    /// Refuses syntaxes in big-endian or deflated form. Unknown syntaxes are read as explicit little-endian.
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
    /// Unsigned numbers of 16 bits; missing numbers are 0.
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
        case 0x00181164: // spacing at the detector or of a scanned film, used if there is no other
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

    /// The window from its centre and width (DICOM PS3.3, C.11.2.1.2 and C.11.2.1.3.2). Unless it is exact, the ends
    /// are the first and the last whole number in the window.
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
            // Frames without their own description get the shared one.
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
