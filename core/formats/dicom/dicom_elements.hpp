#pragma once

#include "io/read_support.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// A data element that is no sequence, or the pixels of the data set.
struct DicomElement {
    std::uint32_t tag = 0;       ///< group * 65536 + element
    std::uint64_t start = 0;     ///< of the element in the file
    std::uint64_t begin = 0;     ///< of its value
    std::uint64_t length = 0;    ///< bytes of its value
    bool isEncapsulated = false; ///< pixels in fragments, of unknown length
    std::uint32_t outermost = 0; ///< tag of the sequence of the data set that contains it; 0 without one
    std::uint64_t item = 0;      ///< of that sequence, from 0
    std::uint32_t sequence = 0;  ///< tag of the innermost sequence that contains it; 0 without one
};

/// The elements of a data set in little-endian order (DICOM PS3.5, 7), read forwards in little memory. Of the sequences
/// of known length only those that describe frames are entered; values are skipped until they are asked for.
class DicomElements {
public:
    /// @param implicit without value representations. @throws Error(fileUnreadable)
    DicomElements(const SourceFile& source, std::uint64_t begin, bool implicit);

    /// The next element; nothing at the end of the file. After pixels there is no next one.
    /// @throws Error(fileDamaged), Error(limitExceeded) for more elements or deeper sequences than any image has
    std::optional<DicomElement> next();

    /// Group of the next element; 0 at the end of the file.
    [[nodiscard]] std::uint32_t nextGroup();
    /// Place of the next element in the file.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

    /// Leading bytes of the value, at most @p most. @throws Error(fileDamaged) if the file ends before
    [[nodiscard]] std::string bytes(const DicomElement& element, std::size_t most);

private:
    /// A sequence or an item of one.
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

} // namespace pollard
