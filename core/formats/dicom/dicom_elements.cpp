#include "formats/dicom/dicom_elements.hpp"

#include <algorithm>
#include <string_view>

namespace pollard {

namespace {

constexpr std::uint32_t kItem = 0xfffee000;
constexpr std::uint32_t kItemEnd = 0xfffee00d;
constexpr std::uint32_t kSequenceEnd = 0xfffee0dd;
constexpr std::uint64_t kUndefined = 0xffffffff;
constexpr std::uint32_t kDelimiters = 0xfffe;
constexpr std::uint32_t kPixels = 0x7fe0;
constexpr std::uint64_t kMostElements = 1 << 22;
constexpr std::size_t kDeepest = 64;

bool isLetter(std::uint64_t c) { return c >= 'A' && c <= 'Z'; }

/// Value representations with a length of 4 bytes.
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

} // namespace

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

/// End of a value, which must lie in the file and in the sequence.
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

} // namespace pollard
