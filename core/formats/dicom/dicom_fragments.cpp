#include "formats/dicom/dicom_fragments.hpp"

#include <array>
#include <string>

namespace pollard {

namespace {

constexpr std::uint32_t kFragment = 0xe000fffe; // FFFE,E000 in little-endian order
constexpr std::uint32_t kLast = 0xe0ddfffe;
constexpr std::uint64_t kFragmentHeader = 8;

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged DICOM: " + why);
}

} // namespace

DicomFragments::DicomFragments(const SourceFile& source, const DicomHeader& header)
    : source_(source), file_(openForReading(source)), position_(header.begin) {
    const DicomFragment table = next().value_or(DicomFragment{});
    while (const auto fragment = next()) {
        if (constexpr std::size_t kMost = 1 << 22; fragments_.size() == kMost) {
            throw readError(ErrorCode::limitExceeded, source_.path,
                            "DICOM pixels in more than " + std::to_string(kMost) + " fragments");
        }
        fragments_.push_back(*fragment);
    }
    if (mark_ != kLast) {
        fail(source_, "the fragments of the pixels are not delimited");
    }
    if (header.frames == 1) {
        starts_ = {0};
    } else if (fragments_.size() == header.frames) {
        for (std::size_t i = 0; i < fragments_.size(); ++i) {
            starts_.push_back(i);
        }
    } else {
        startByTable(table, header.frames);
    }
    file_.reset();
}

std::span<const DicomFragment> DicomFragments::ofFrame(std::uint64_t frame) const {
    const std::size_t begin = starts_.at(frame);
    const std::size_t end = frame + 1 < starts_.size() ? starts_[frame + 1] : fragments_.size();
    return std::span(fragments_).subspan(begin, end - begin);
}

/// Nothing at the delimiter of the sequence.
std::optional<DicomFragment> DicomFragments::next() {
    std::array<std::uint32_t, 2> words{};
    if (::fseeko(file_.get(), static_cast<off_t>(position_), SEEK_SET) != 0 ||
        std::fread(words.data(), 1, kFragmentHeader, file_.get()) != kFragmentHeader) {
        throw cutOffError(source_, position_ + kFragmentHeader);
    }
    mark_ = words[0];
    if (mark_ != kFragment) {
        return std::nullopt;
    }
    const DicomFragment fragment{position_ + kFragmentHeader, words[1]};
    if (fragment.bytes > source_.size - fragment.begin) {
        throw cutOffError(source_, fragment.begin + fragment.bytes);
    }
    position_ = fragment.begin + fragment.bytes;
    return fragment;
}

void DicomFragments::startByTable(const DicomFragment& table, std::uint64_t frames) {
    if (table.bytes != frames * sizeof(std::uint32_t) || fragments_.empty()) {
        fail(source_,
             std::to_string(fragments_.size()) + " fragments do not make " + std::to_string(frames) + " frames");
    }
    std::vector<std::uint32_t> offsets(frames);
    if (::fseeko(file_.get(), static_cast<off_t>(table.begin), SEEK_SET) != 0 ||
        std::fread(offsets.data(), sizeof(std::uint32_t), offsets.size(), file_.get()) != offsets.size()) {
        throw cutOffError(source_, table.begin + table.bytes);
    }
    const std::uint64_t origin = fragments_.front().begin - kFragmentHeader;
    std::size_t fragment = 0;
    for (const std::uint32_t offset : offsets) {
        while (fragment < fragments_.size() && fragments_[fragment].begin - kFragmentHeader - origin < offset) {
            ++fragment;
        }
        if (fragment == fragments_.size() || fragments_[fragment].begin - kFragmentHeader - origin != offset ||
            (!starts_.empty() && starts_.back() == fragment)) {
            fail(source_, "the table of frames does not agree with the fragments");
        }
        starts_.push_back(fragment);
    }
}

} // namespace pollard
