#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "channels/stains.hpp"
#include "image/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A channel computed from the channels of an image. Its text is one of
///
/// - `sum(A,B,..)`, `mean(..)`, `max(..)`, `min(..)`; `all` stands for all channels but one named "alpha",
/// - `ratio(A,B)` = A / B and `nd(A,B)` = (A - B) / (A + B), without data if the divisor is 0,
/// - the name of a kSpectralIndices, `ndvi`,
/// - `pca(K)`: the K-th principal component of all channels, from 1 for the largest variance. The loading of the
///   largest magnitude is positive. Pearson, Phil. Mag. 2 (1901) 559-572,
/// - `stain(SET,STAIN)`: a stain of stainSets() by its number from 1 or its name, as scikit-image's separate_stains(),
///   or `stain([r,g,b;r,g,b],K)` with two or three vectors of your own, perhaps with names,
///   `stain([DAB=r,g,b;other=r,g,b],DAB)`. Ruifrok, Johnston 2001,
/// - `macenko(K)`: haematoxylin (1) or eosin (2) with vectors estimated from the image. M. Macenko et al., A method for
///   normalizing histology slides for quantitative analysis, ISBI 2009, 1107-1110. Optical densities are decadic, their
///   threshold is 0.15, the extreme angles are quantiles 0.01 and 0.99, and concentrations below 0 become 0.
///
/// A channel is named as for findChannel() or, if there is none, as for findBand(). Names with commas, parentheses,
/// brackets or quotes stand in double quotes, which are doubled within the name. Case matters in names of channels
/// only.
class Derivation {
public:
    enum class Function { sum, mean, max, min, ratio, difference, component, stain, macenko };

    /// Whether a text is meant as an expression: it is the name of a spectral index, or begins with a word (a
    /// function's name or not) and a parenthesis.
    [[nodiscard]] static bool isExpression(std::string_view text);
    /// @throws Error(invalidArgument) with the place of the mistake
    [[nodiscard]] static Derivation parse(std::string_view text);

    /// The canonical text, which parse() reads.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// The text with the names of the channels used: "ndvi = nd(B08,B04)".
    [[nodiscard]] std::string describe(std::span<const Channel> channels) const;
    /// Channels that values() needs, in its order; a channel can occur twice.
    /// @throws Error(invalidArgument) for a channel or a component that does not exist
    [[nodiscard]] std::vector<std::size_t> inputs(std::span<const Channel> channels) const;
    /// The stains of an expression with custom vectors; empty for other expressions.
    [[nodiscard]] const std::vector<CustomStain>& customStains() const noexcept { return own_; }
    /// Whether all values are from -1 to 1 for channels without negative values.
    [[nodiscard]] bool isDifference() const noexcept { return function_ == Function::difference; }
    /// Whether the value of a pixel depends on all pixels of the image.
    [[nodiscard]] bool usesAllPixels() const noexcept {
        return function_ == Function::component || function_ == Function::macenko;
    }
    /// Whether the result is a whole number if all channels are.
    [[nodiscard]] bool keepsWholeNumbers() const noexcept;
    /// Whether values are sums of the channels' values.
    [[nodiscard]] bool isSum() const noexcept { return function_ == Function::sum; }

    /// Values of all pixels, row by row; NaN for pixels without data in one of the channels or without a result. Runs
    /// on all threads of the caller's arena and does not depend on their number; 8 bytes a pixel.
    /// @param planes the inputs(), of one size
    /// @param white value of the empty background, for stain and macenko
    /// @param exact values of each plane, used instead of its levels; empty: levels of all planes
    /// @throws Error(invalidArgument) if macenko finds no two stains; Cancelled
    [[nodiscard]] Buffer<double> values(std::span<const ChannelPlane> planes, double white,
                                        const JobControl& control = {}, std::span<const ExactValues> exact = {}) const;

    bool operator==(const Derivation& other) const { return text_ == other.text_; }

private:
    friend class DerivationParser;

    struct Operand {
        std::string name;
        bool all = false;
    };

    [[nodiscard]] std::size_t resolve(const Operand& operand, std::span<const Channel> channels) const;
    [[nodiscard]] std::string call(std::span<const std::string> operands) const;

    Function function_ = Function::sum;
    std::string index_; ///< name of the spectral index
    std::vector<Operand> operands_;
    std::size_t number_ = 0; ///< of the component or stain, from 0
    StainMatrix stains_{};
    std::vector<CustomStain> own_;
    std::string text_;
};

/// The kinds of expressions, with spaces between, for help and error texts.
[[nodiscard]] std::string derivationHelp();

} // namespace pollard
