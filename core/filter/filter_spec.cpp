#include "filter/filter_spec.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>

namespace pollard {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Comparison : std::uint8_t { less, lessEqual, equal, greaterEqual, greater };

[[nodiscard]] bool pointsUp(Comparison c) { return c == Comparison::greater || c == Comparison::greaterEqual; }
[[nodiscard]] bool pointsDown(Comparison c) { return c == Comparison::less || c == Comparison::lessEqual; }
[[nodiscard]] bool isStrict(Comparison c) { return c == Comparison::less || c == Comparison::greater; }

/// Power of ten of a unit in metres (or square metres).
[[nodiscard]] int exponentOf(LengthUnit unit, Dimension dimension) {
    constexpr std::array kExponents{0, -9, -6, -3, -2, 0, 3, 2}; // hectare: (100 m)^2
    return kExponents[static_cast<std::size_t>(unit)] * powerOf(dimension);
}

/// The decimal number times a power of ten, with a single rounding.
[[nodiscard]] double shifted(double value, int exponent) {
    std::array<char, 32> digits{};
    char* const end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific).ptr;
    const std::string text(digits.data(), end);
    const std::size_t mark = text.find('e');
    if (exponent == 0 || mark == std::string::npos) { // infinite
        return value;
    }
    const char* const from = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
    int present = 0;
    std::from_chars(from, text.data() + text.size(), present);
    const std::string moved = text.substr(0, mark + 1) + std::to_string(present + exponent);
    double result = value;
    if (std::from_chars(moved.data(), moved.data() + moved.size(), result).ec == std::errc::result_out_of_range) {
        return exponent > 0 ? std::copysign(kInfinity, value) : 0;
    }
    return result;
}

/// Comparison for the exchanged order of value and attribute.
[[nodiscard]] Comparison mirrored(Comparison c) {
    switch (c) {
    case Comparison::less:
        return Comparison::greater;
    case Comparison::lessEqual:
        return Comparison::greaterEqual;
    case Comparison::greaterEqual:
        return Comparison::lessEqual;
    case Comparison::greater:
        return Comparison::less;
    case Comparison::equal:
        break;
    }
    return Comparison::equal;
}

/// Parses one criterion from left to right.
class CriterionParser {
public:
    explicit CriterionParser(std::string_view text) : text_(text), rest_(text) {}

    [[nodiscard]] Criterion parse() {
        skipBlanks();
        if (rest_.empty()) {
            fail("empty; expected for instance 'area>=100'");
        }
        if (std::isalpha(static_cast<unsigned char>(rest_.front())) != 0 && !startsWithInfinity()) {
            criterion_.attribute = readAttribute();
            const Comparison comparison = readComparison();
            bound(comparison, readBound());
        } else {
            const Bound first = readBound();
            const Comparison left = readComparison();
            criterion_.attribute = readAttribute();
            bound(mirrored(left), first);
            if (!rest_.empty()) {
                const Comparison right = readComparison();
                const bool chain = (pointsUp(left) && pointsUp(right)) || (pointsDown(left) && pointsDown(right));
                if (!chain) {
                    fail("the two comparisons must point the same way, as in '10<=area<=100'");
                }
                bound(right, inUnitOf(first, readBound()));
            }
        }
        if (!rest_.empty()) {
            failAt(std::string(rest_));
        }
        if (criterion_.minimum > criterion_.maximum) {
            fail("no value can meet it");
        }
        return criterion_;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw Error(ErrorCode::invalidArgument, "criterion: '" + std::string(text_) + "': " + why);
    }

    [[noreturn]] void failAt(const std::string& rest) const {
        const bool word = std::isalpha(static_cast<unsigned char>(rest.front())) != 0;
        fail("'" + rest + "' is left over" +
             (word ? "; units are " + unitNames(Dimension::length) + ", squares such as um2, and ha" : ""));
    }

    void skipBlanks() {
        const std::size_t start = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start);
    }

    void skip(std::size_t count) {
        rest_.remove_prefix(count);
        skipBlanks();
    }

    [[nodiscard]] bool startsWithInfinity() const {
        return rest_.starts_with("inf") &&
               (rest_.size() == 3 || std::isalnum(static_cast<unsigned char>(rest_[3])) == 0);
    }

    [[nodiscard]] AttributeId readAttribute() {
        const auto partOfName = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
        const auto end = std::ranges::find_if_not(rest_, partOfName);
        const std::string name(rest_.begin(), end);
        if (name.empty()) {
            fail("an attribute name is missing");
        }
        const std::optional<AttributeId> id = findAttribute(name);
        if (!id) {
            std::string known;
            for (const AttributeInfo& info : allAttributes()) {
                known.append(known.empty() ? "" : ", ").append(info.name);
            }
            fail("unknown attribute '" + name + "' (there are " + known + ")");
        }
        skip(name.size());
        return *id;
    }

    [[nodiscard]] Comparison readComparison() {
        struct Symbol {
            std::string_view text;
            Comparison comparison;
        };
        static constexpr std::array kSymbols{
            Symbol{">=", Comparison::greaterEqual}, Symbol{"<=", Comparison::lessEqual},
            Symbol{"==", Comparison::equal},        Symbol{">", Comparison::greater},
            Symbol{"<", Comparison::less},
        };
        for (const Symbol& symbol : kSymbols) {
            if (rest_.starts_with(symbol.text)) {
                skip(symbol.text.size());
                return symbol.comparison;
            }
        }
        fail(rest_.empty() ? "a comparison is missing (>=, <=, ==, > or <)"
                           : "expected >=, <=, ==, > or < before '" + std::string(rest_) + "'");
    }

    [[nodiscard]] double readNumber() {
        double value = 0;
        const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (problem == std::errc::result_out_of_range) {
            fail("the number at '" + std::string(rest_) + "' is outside the range of a double");
        }
        if (problem != std::errc{}) {
            fail(rest_.empty() ? "a number is missing" : "expected a number at '" + std::string(rest_) + "'");
        }
        if (std::isnan(value)) {
            fail("NaN is no bound");
        }
        if (isRoundedWhole(rest_)) {
            fail("the whole number at '" + std::string(rest_) + "' is beyond 2^53 and would be rounded");
        }
        skip(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }

    struct Bound {
        double value;
        std::optional<UnitText> unit;
        std::string grey = {}; ///< unit of values, or kLevels
    };

    [[nodiscard]] Bound readBound() {
        Bound bound{readNumber(), unitAtStart(rest_)};
        const auto word = wordAtStart();
        if (bound.unit && word.size() == bound.unit->bytes) {
            skip(bound.unit->bytes);
        } else if (!word.empty()) {
            bound.unit.reset();
            bound.grey = word;
            skip(word.size());
        }
        return bound;
    }

    /// A word up to a blank or a comparison; empty if the text starts otherwise.
    [[nodiscard]] std::string_view wordAtStart() const {
        const auto mayStart = [](unsigned char c) { return std::isalpha(c) != 0 || c == '%' || c > 0x7f; };
        const bool isWord = !rest_.empty() && mayStart(static_cast<unsigned char>(rest_.front()));
        return isWord ? rest_.substr(0, rest_.find_first_of("<>= \t\r\n")) : std::string_view();
    }

    /// Converts the second bound to the unit of the first.
    [[nodiscard]] Bound inUnitOf(const Bound& first, const Bound& second) const {
        const auto hasUnit = [](const Bound& bound) { return bound.unit || !bound.grey.empty(); };
        if (hasUnit(first) != hasUnit(second)) {
            fail("one bound has a unit, the other has none");
        }
        if (first.grey != second.grey) {
            fail("the bounds have different units");
        }
        const bool isCubed = first.unit && first.unit->dimension == Dimension::volume;
        if (second.unit && isCubed != (second.unit->dimension == Dimension::volume)) {
            fail("one bound is a volume, the other is not");
        }
        if (!first.unit || first.unit->dimension != second.unit->dimension || *first.unit == *second.unit) {
            return second; // bound() checks each
        }
        if ((first.unit->unit == LengthUnit::pixel) != (second.unit->unit == LengthUnit::pixel)) {
            fail("one bound is in pixels, the other is not");
        }
        const Dimension dimension = first.unit->dimension;
        const int exponent = exponentOf(second.unit->unit, dimension) - exponentOf(first.unit->unit, dimension);
        return {shifted(second.value, exponent), first.unit};
    }

    void takeUnit(const UnitText& unit) {
        const AttributeInfo& info = attributeInfo(criterion_.attribute);
        const bool cubed = unit.dimension == Dimension::volume;
        const Dimension dimension = dimensionOf(info.id, cubed);
        const std::string name = "'" + std::string(info.name) + "'";
        const std::string given = "'" + unitName(unit.unit, unit.dimension) + "'";
        if (dimension == Dimension::none) {
            fail(name + " is neither a length nor an area: it takes no unit such as " + given +
                 (cubed && info.id == AttributeId::volume ? "; 'area' counts the voxels of a volume" : ""));
        }
        if (dimension != unit.dimension) {
            fail(name + (dimension == Dimension::area ? " is an area, and " : " is a length, and ") + given +
                 (cubed                          ? " is a volume"
                  : dimension == Dimension::area ? " is a length"
                                                 : " is an area") +
                 "; there are " + unitNames(dimension));
        }
        criterion_.unit = unit.unit;
        criterion_.cubed = cubed && unit.unit != LengthUnit::pixel;
    }

    void takeGrey(const std::string& unit) {
        if (attributeInfo(criterion_.attribute).grey == Grey::none) {
            failAt(unit);
        }
        criterion_.grey = unit;
    }

    void bound(Comparison comparison, const Bound& given) {
        const bool isGrey = attributeInfo(criterion_.attribute).grey != Grey::none;
        if (!given.grey.empty()) {
            takeGrey(given.grey);
        } else if (given.unit && isGrey && given.unit->unit != LengthUnit::pixel &&
                   given.unit->dimension != Dimension::volume) {
            takeGrey(unitName(given.unit->unit, given.unit->dimension)); // e.g. heights in m
        } else if (given.unit) {
            takeUnit(*given.unit);
        }
        const double value = given.value;
        if (std::isinf(value) && isStrict(comparison) && (value > 0) == pointsUp(comparison)) {
            fail("no value can meet it");
        }
        const bool integral = attributeInfo(criterion_.attribute).integral && criterion_.unit == LengthUnit::pixel &&
                              (!isGrey || criterion_.grey == kLevels);
        switch (comparison) {
        case Comparison::greaterEqual:
            criterion_.minimum = value;
            break;
        case Comparison::lessEqual:
            criterion_.maximum = value;
            break;
        case Comparison::equal:
            criterion_.minimum = value;
            criterion_.maximum = value;
            break;
        case Comparison::greater:
            criterion_.minimum = beyond(value, integral, kInfinity);
            break;
        case Comparison::less:
            criterion_.maximum = beyond(value, integral, -kInfinity);
            break;
        }
    }

    /// The next value after @p value towards @p target that the attribute can take. Above 2^53, where the spacing of
    /// doubles exceeds 1, it is the next double.
    [[nodiscard]] static double beyond(double value, bool integral, double target) {
        const double next = std::nextafter(value, target);
        if (!integral) {
            return next;
        }
        return target > 0 ? std::max(std::floor(value) + 1, next) : std::min(std::ceil(value) - 1, next);
    }

    std::string_view text_;
    std::string_view rest_;
    Criterion criterion_;
};

/// A number with its unit, and a blank between them if the number would continue into the unit: "-2 e5", "inf inity".
[[nodiscard]] std::string boundText(double value, const std::string& unit) {
    const std::string number = exactNumber(value);
    const std::string joined = number + unit;
    double read = 0;
    const char* const end = std::from_chars(joined.data(), joined.data() + joined.size(), read).ptr;
    return end == joined.data() + number.size() ? joined : number + ' ' + unit;
}

/// Text such as `15um2<area`, with strict comparison if the bound is the double next to a short number.
[[nodiscard]] std::string withUnit(const Criterion& criterion) {
    const std::string name(attributeInfo(criterion.attribute).name);
    const std::string unit =
        criterion.unit == LengthUnit::pixel ? criterion.grey : unitName(criterion.unit, dimensionOf(criterion));
    const WrittenBound low = WrittenBound::of(criterion.minimum);
    const WrittenBound high = WrittenBound::of(criterion.maximum);
    const bool above = low.beyond > 0;
    const bool below = high.beyond < 0;
    const std::string from = boundText(above ? low.value : criterion.minimum, unit);
    const std::string to = boundText(below ? high.value : criterion.maximum, unit);
    if (criterion.minimum == criterion.maximum) {
        return name + "==" + boundText(criterion.minimum, unit);
    }
    if (criterion.maximum == kInfinity) {
        return name + (above ? ">" : ">=") + from;
    }
    if (criterion.minimum == -kInfinity) {
        return name + (below ? "<" : "<=") + to;
    }
    return from + (above ? "<" : "<=") + name + (below ? "<" : "<=") + to;
}

/// In the order of Rule.
constexpr RuleInfo kRules[] = {
    {.name = "direct",
     .title = "Direct",
     .details = "Pixels of a removed component get the level of the nearest kept one around it",
     .help = "a removed component's pixels take the level of the nearest kept one around it",
     .exercise = "Direct rule: each node is judged alone."},
    {.name = "min",
     .title = "Min (prune)",
     .details = "A component is kept only if it and all components around it meet the criteria",
     .help = "keep a component only if all components around it are kept too",
     .exercise = "Min rule: a node is removed if it or one of its ancestors fails."},
    {.name = "max",
     .title = "Max",
     .details = "A component is kept if it or any component inside it meets the criteria",
     .help = "keep a component if any component inside it is kept",
     .exercise = "Max rule: a node is kept if it or one of its descendants meets the criterion."},
    {.name = "viterbi",
     .title = "Viterbi (prune)",
     .details = "Whole branches are removed so that as few decisions of the criteria as possible are overruled "
                "(Salembier, Oliveras, Garrido 1998)",
     .help = "remove whole branches so that as few decisions of the criteria as possible change",
     .exercise = "Viterbi rule: whole branches are removed so that as few decisions as possible change; if several "
                 "ways are equal, the most nodes are kept."},
    {.name = "subtractive",
     .title = "Subtractive",
     .details = "As Direct, and components inside a removed one are lowered by its contrast (Urbach, Wilkinson 2002)",
     .help = "as direct, and components inside a removed one are lowered by its contrast",
     .exercise = "Subtractive rule: each node is judged alone; removed nodes take their contrast along."},
};
static_assert(std::size(kRules) == kAllRules.size());

} // namespace

Criterion parseCriterion(std::string_view text) { return CriterionParser(text).parse(); }

std::string toString(const Criterion& criterion) {
    const bool isGrey = attributeInfo(criterion.attribute).grey != Grey::none;
    if (criterion.unit != LengthUnit::pixel || (isGrey && criterion.grey != kLevels)) {
        return withUnit(criterion);
    }
    const std::string name(attributeInfo(criterion.attribute).name);
    const std::string grey = isGrey ? criterion.grey : std::string();
    const std::string low = exactNumber(criterion.minimum) + grey;
    const std::string high = exactNumber(criterion.maximum) + grey;
    if (criterion.minimum == criterion.maximum) {
        return name + "==" + low;
    }
    if (criterion.maximum == kInfinity) {
        return name + ">=" + low;
    }
    if (criterion.minimum == -kInfinity) {
        return name + "<=" + high;
    }
    return low + "<=" + name + "<=" + high;
}

const RuleInfo& ruleInfo(Rule rule) noexcept { return kRules[static_cast<std::size_t>(rule)]; }

std::string_view nameOf(Rule rule) noexcept { return ruleInfo(rule).name; }

std::string_view nameOf(Match match) noexcept {
    switch (match) {
    case Match::all:
        return "all";
    case Match::any:
        return "any";
    }
    return {};
}

std::string_view nameOf(Output output) noexcept {
    switch (output) {
    case Output::filtered:
        return "filtered";
    case Output::residue:
        return "residue";
    case Output::mask:
        return "mask";
    case Output::labels:
        return "labels";
    }
    return {};
}

std::string_view nameOf(Prominence measure) noexcept {
    switch (measure) {
    case Prominence::dynamics:
        return "dynamics";
    case Prominence::extinctionArea:
        return "extinction_area";
    case Prominence::extinctionVolume:
        return "extinction_volume";
    }
    return {};
}

namespace {

[[noreturn]] void fail(std::string_view text, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "prominent: '" + std::string(text) + "': " + why);
}

} // namespace

Prominent parseProminent(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        fail(text, "expected MEASURE:COUNT, for instance 'dynamics:20'");
    }
    const std::string_view name = text.substr(0, colon);
    const auto* const measure = std::ranges::find(kAllProminences, name, [](Prominence m) { return nameOf(m); });
    if (measure == kAllProminences.end()) {
        std::string known;
        for (const Prominence each : kAllProminences) {
            known.append(known.empty() ? "" : ", ").append(nameOf(each));
        }
        fail(text, "unknown measure '" + std::string(name) + "' (there are " + known + ")");
    }
    const std::string_view number = text.substr(colon + 1);
    Prominent prominent{*measure, 0};
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), prominent.count);
    if (problem == std::errc::result_out_of_range) {
        fail(text, "the count is above 4294967295");
    }
    if (problem != std::errc{} || end != number.data() + number.size()) {
        fail(text, "'" + std::string(number) + "' is no count");
    }
    return prominent;
}

std::string toString(const Prominent& prominent) {
    return std::string(nameOf(prominent.measure)) + ":" + std::to_string(prominent.count);
}

} // namespace pollard
