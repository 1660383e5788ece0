#pragma once

#include "analysis/bins.hpp"
#include "analysis/spectrum.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "chunks/image_chunks.hpp"
#include "chunks/part_job.hpp"
#include "chunks/sweeps/closed_sweep.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace pollard {

/// An attribute of a spectrum and its bins.
struct SpectrumAxis {
    AttributeId attribute = AttributeId::area;
    BinSpec bins;
    bool automaticScale = false; ///< the scale is automaticScale() of all nodes instead of the scale in the bins
    bool isInValues = false;     ///< the column is in values, see isColumnInValues()
};

/// The axis with bounds of values as numbers of the attribute's column. An automatic scale is linear if level 0 is not
/// the value 0 of a position.
/// @throws Error(invalidArgument) for a logarithmic scale then
[[nodiscard]] SpectrumAxis inColumn(SpectrumAxis axis, const std::optional<ValueMapping>& mapping);

using AnySpectrum = std::variant<PatternSpectrum, PatternSpectrum2d>;

/// The job of a spectrum. @param axes one or two @throws as measuringJob()
[[nodiscard]] PartJob spectrumJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity,
                                  std::span<const SpectrumAxis> axes);

/// The spectrum of an image or volume larger than memory, equal to patternSpectrum() or patternSpectrum2d() of its
/// tree. It takes one sweep if all bounds are given, or if the distinct values of the nodes fit the memory; else two,
/// because missing bounds are the range of all nodes.
/// @param sweep of the spectrumJob() of the same axes
/// @param memory for distinct values, in bytes
/// @throws as makeBins(), requireFewBins() and ClosedSweep::run()
[[nodiscard]] AnySpectrum chunkedSpectrum(std::span<const SpectrumAxis> axes, ClosedSweep& sweep, std::uint64_t memory,
                                          const JobControl& control = {});

/// Facts about the spectrum of an image in a file.
struct ImageSpectrumReport : ChunkReport {
    AnySpectrum spectrum;
};

/// The spectrum of an image of any size, see chunkedSpectrum(). Writes no files.
/// @param request without filter, target and folder @param axes one or two, with bounds of values
/// @throws as ImageChunks, inColumn() and chunkedSpectrum(); Cancelled
[[nodiscard]] ImageSpectrumReport spectrumOfImage(const ChunkRequest& request, std::span<const SpectrumAxis> axes,
                                                  const JobControl& control = {});

} // namespace pollard
