#pragma once

#include "formats/dicom/dicom_header.hpp"
#include "io/read_support.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// A part of a file.
struct DicomFragment {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

/// The fragments of each frame of encapsulated pixels (DICOM PS3.5, A.4).
class DicomFragments {
public:
    /// @throws Error(fileDamaged) for fragments that do not make up the frames, Error(limitExceeded)
    DicomFragments(const SourceFile& source, const DicomHeader& header);

    [[nodiscard]] std::span<const DicomFragment> ofFrame(std::uint64_t frame) const;

private:
    std::optional<DicomFragment> next();
    void startByTable(const DicomFragment& table, std::uint64_t frames);

    const SourceFile& source_;
    FilePointer file_;
    std::uint64_t position_;
    std::uint32_t mark_ = 0; ///< of the last item or delimiter
    std::vector<DicomFragment> fragments_;
    std::vector<std::size_t> starts_; ///< index of the first fragment of each frame
};

} // namespace pollard
