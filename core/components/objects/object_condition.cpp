#include "components/objects/object_condition.hpp"

#include "base/text.hpp"
#include "components/condition_dimensions.hpp"
#include "components/object_places.hpp"
#include "components/objects/channel_measures.hpp"
#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

/// Recursive-descent parser of a condition, nested at most kMostNesting deep.
class ConditionParser {
public:
    ConditionParser(std::string_view text, std::span<const ObjectFeatureInfo> features)
        : text_(text), features_(features) {
        next();
    }

    void parseInto(ObjectCondition& condition) {
        condition.steps_ = run();
        condition.columns_ = std::move(columns_);
    }

private:
    std::vector<ObjectCondition::Step> run() {
        if (token_.kind == Token::Kind::end) {
            return {};
        }
        const Type type = readEither();
        if (token_.kind != Token::Kind::end) {
            if (type == Type::value) {
                fail(ConditionFault::noComparison, "expected a comparison");
            }
            fail(ConditionFault::noJoin, "expected && or ||");
        }
        requireCondition(type, 0);
        return std::move(steps_);
    }

    using Operation = ObjectCondition::Operation;
    using Bound = ObjectCondition::Bound;
    enum class Type { value, condition };

    struct Token {
        enum class Kind { number, name, column, sign, end };
        Kind kind = Kind::end;
        std::string_view text;
        std::size_t column = 0; ///< 0-based
        double number = 0;
    };
    struct Sign {
        std::string_view text;
        Operation operation;
    };

    [[nodiscard]] static bool isDigit(char c) { return c >= '0' && c <= '9'; }
    [[nodiscard]] static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
    /// Length of the word, number or sign at a column.
    [[nodiscard]] std::size_t lengthAt(std::size_t column) const {
        const auto isWord = [](char c) { return isLetter(c) || isDigit(c) || c == '.'; };
        std::size_t end = column;
        while (end < text_.size() && isWord(text_[end])) {
            ++end;
        }
        return end > column || column == text_.size() ? end - column : signLength(column);
    }
    /// Length of a sign: two letters, or a whole UTF-8 character.
    [[nodiscard]] std::size_t signLength(std::size_t column) const {
        std::size_t length = 1;
        for (const std::string_view two : {"&&", "||", "<=", ">=", "==", "!="}) {
            length = text_.substr(column, 2) == two ? 2 : length;
        }
        while ((static_cast<unsigned char>(text_[column]) & 0x80U) != 0 && column + length < text_.size() &&
               (static_cast<unsigned char>(text_[column + length]) & 0xc0U) == 0x80U) {
            ++length;
        }
        return length;
    }
    /// Length of "mean[GFP]" or "p99.5[GFP]" at a column, up to the bracket that closes the first one; 0 if it is none.
    [[nodiscard]] std::size_t columnLength(std::size_t column) const {
        std::size_t end = column;
        while (end < text_.size() && (isLetter(text_[end]) || isDigit(text_[end]) || text_[end] == '.')) {
            ++end;
        }
        if (end == text_.size() || text_[end] != '[') {
            return 0;
        }
        int open = 0;
        for (; end < text_.size(); ++end) {
            open += text_[end] == '[' ? 1 : text_[end] == ']' ? -1 : 0;
            if (open == 0) {
                return end + 1 - column;
            }
        }
        throw ConditionError(ConditionFault::noChannel, column, text_.size() - column,
                             "a ] is missing behind the name of the channel");
    }
    [[noreturn]] void failAt(ConditionFault fault, std::size_t column, const std::string& why) const {
        throw ConditionError(fault, column, lengthAt(std::min(column, text_.size())), why);
    }
    [[noreturn]] void fail(ConditionFault fault, const std::string& expected) const {
        failAt(fault, token_.column,
               expected + (token_.kind == Token::Kind::end ? " at the end"
                                                           : " instead of '" + std::string(token_.text) + "'"));
    }

    void next() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
            ++at_;
        }
        token_ = {Token::Kind::end, {}, at_, 0};
        if (at_ == text_.size()) {
            return;
        }
        const char c = text_[at_];
        std::size_t length = 1;
        if (isDigit(c) || c == '.') {
            const char* start = text_.data() + at_;
            const auto [stop, problem] = std::from_chars(start, text_.data() + text_.size(), token_.number);
            if (problem != std::errc{}) {
                failAt(ConditionFault::number, at_, "a number is expected that can be read");
            }
            token_.kind = Token::Kind::number;
            length = static_cast<std::size_t>(stop - start);
        } else if (const std::size_t whole = isLetter(c) ? columnLength(at_) : 0; whole > 0) {
            token_.kind = Token::Kind::column;
            length = whole;
        } else if (isLetter(c)) {
            token_.kind = Token::Kind::name;
            while (at_ + length < text_.size() && (isLetter(text_[at_ + length]) || isDigit(text_[at_ + length]))) {
                ++length;
            }
        } else {
            token_.kind = Token::Kind::sign;
            length = signLength(at_);
        }
        token_.text = text_.substr(at_, length);
        at_ += length;
    }
    [[nodiscard]] bool takes(std::string_view sign, std::string_view word = {}) {
        const bool is = (token_.kind == Token::Kind::sign && token_.text == sign) ||
                        (token_.kind == Token::Kind::name && !word.empty() && token_.text == word);
        if (is) {
            next();
        }
        return is;
    }
    template <std::size_t count> std::optional<Operation> takesOneOf(const std::array<Sign, count>& signs) {
        for (const Sign& sign : signs) {
            if (takes(sign.text)) {
                return sign.operation;
            }
        }
        return std::nullopt;
    }
    void add(Operation operation) {
        ObjectCondition::Step step;
        step.operation = operation;
        steps_.push_back(step);
    }
    void addNumber() {
        ObjectCondition::Step step;
        step.operation = Operation::number;
        step.number = token_.number;
        step.column = token_.column;
        step.end = at_;
        std::size_t blanks = at_;
        while (blanks < text_.size() && (text_[blanks] == ' ' || text_[blanks] == '\t')) {
            ++blanks;
        }
        if (const auto unit = unitAtStart(text_.substr(blanks))) {
            step.unit = unit->unit;
            step.dimension = unit->dimension;
            step.end = at_ = blanks + unit->bytes;
        }
        steps_.push_back(step);
        next();
    }
    void addFeature(ObjectFeature feature) {
        ObjectCondition::Step step;
        step.operation = Operation::feature;
        step.feature = feature;
        step.dimension = dimensionOf(std::ranges::find(features_, feature, &ObjectFeatureInfo::feature)->unit);
        step.column = token_.column;
        step.end = at_;
        steps_.push_back(step);
        next();
    }
    void requireCondition(Type type, std::size_t column) const {
        if (type != Type::condition) {
            failAt(ConditionFault::valueNotCondition, column,
                   "a value stands where a condition is expected, e.g. area >= 50");
        }
    }
    void requireValue(Type type, std::size_t column) const {
        if (type != Type::value) {
            failAt(ConditionFault::conditionNotValue, column,
                   "a condition stands where a value is expected; join comparisons by && or ||");
        }
    }

    Type readEither() { return readJoined("||", "or", Operation::either, &ConditionParser::readBoth); }
    Type readBoth() { return readJoined("&&", "and", Operation::both, &ConditionParser::readComparison); }

    Type readJoined(std::string_view sign, std::string_view word, Operation operation,
                    Type (ConditionParser::*readSide)()) {
        const std::size_t column = token_.column;
        const Type first = (this->*readSide)();
        while (takes(sign, word)) {
            requireCondition(first, column);
            const std::size_t secondColumn = token_.column;
            requireCondition((this->*readSide)(), secondColumn);
            add(operation);
        }
        return first;
    }

    Type readComparison() {
        constexpr std::array<Sign, 7> kSigns{{{"<=", Operation::lessOrEqual},
                                              {">=", Operation::greaterOrEqual},
                                              {"==", Operation::equal},
                                              {"!=", Operation::notEqual},
                                              {"<", Operation::less},
                                              {">", Operation::greater},
                                              {"=", Operation::equal}}};
        std::size_t column = token_.column;
        const std::size_t first = steps_.size();
        Type type = readSum();
        while (const auto operation = takesOneOf(kSigns)) {
            requireValue(type, column);
            const std::size_t secondColumn = token_.column;
            const std::size_t second = steps_.size();
            requireValue(readSum(), secondColumn);
            const auto a = std::span(steps_).subspan(first, second - first);
            const auto b = std::span(steps_).subspan(second);
            const auto isBound = [](std::span<const ObjectCondition::Step> grey,
                                    std::span<const ObjectCondition::Step> number) {
                return ObjectCondition::isGreyValue(grey) && ObjectCondition::isNumber(number);
            };
            const Bound bound = isBound(a, b) ? Bound::second : isBound(b, a) ? Bound::first : Bound::none;
            const std::size_t columnIndex = bound == Bound::none     ? ObjectCondition::kNoColumn
                                            : bound == Bound::second ? a.front().columnIndex
                                                                     : b.front().columnIndex;
            add(*operation);
            steps_.back().bound = bound;
            steps_.back().columnIndex = columnIndex;
            type = Type::condition;
        }
        return type;
    }

    Type readSum() {
        constexpr std::array<Sign, 2> kSigns{{{"+", Operation::add}, {"-", Operation::subtract}}};
        return readChain(kSigns, &ConditionParser::readProduct);
    }
    Type readProduct() {
        constexpr std::array<Sign, 2> kSigns{{{"*", Operation::multiply}, {"/", Operation::divide}}};
        return readChain(kSigns, &ConditionParser::readPart);
    }
    Type readChain(const std::array<Sign, 2>& signs, Type (ConditionParser::*readSide)()) {
        const std::size_t column = token_.column;
        const Type first = (this->*readSide)();
        while (const auto operation = takesOneOf(signs)) {
            requireValue(first, column);
            const std::size_t secondColumn = token_.column;
            requireValue((this->*readSide)(), secondColumn);
            add(*operation);
        }
        return first;
    }

    Type readPart() {
        if (++nesting_ > ObjectCondition::kMostNesting) {
            failAt(ConditionFault::nesting, token_.column, "nested too deeply");
        }
        const Type type = readInner();
        --nesting_;
        return type;
    }
    Type readInner() {
        const Token start = token_;
        if (takes("-")) {
            requireValue(readPart(), start.column + 1);
            add(Operation::negate);
            return Type::value;
        }
        if (takes("!", "not")) {
            requireCondition(readPart(), start.column + 1);
            add(Operation::invert);
            return Type::condition;
        }
        if (takes("(")) {
            const Type inner = readEither();
            if (!takes(")")) {
                fail(ConditionFault::noClosing, "expected )");
            }
            return inner;
        }
        if (start.kind == Token::Kind::number) {
            addNumber();
            return Type::value;
        }
        if (start.kind == Token::Kind::column) {
            requireMeasure();
            addColumn();
            return Type::value;
        }
        if (start.kind == Token::Kind::name) {
            const auto feature = findObjectFeature(start.text, features_);
            if (!feature && isPlaceColumn(start.text)) {
                addColumn();
                return Type::value;
            }
            if (!feature) {
                failAt(ConditionFault::noFeature, start.column,
                       "'" + std::string(start.text) + "' is no feature; there are " + featureIds(features_));
            }
            addFeature(*feature);
            return Type::value;
        }
        fail(ConditionFault::noOperand, "expected a feature, a number or (");
    }

    void requireMeasure() const {
        if (const std::string_view measure = partsOfColumn(token_.text).measure; !isColumnMeasure(measure)) {
            throw ConditionError(ConditionFault::noMeasure, token_.column, token_.text.size(),
                                 "'" + std::string(measure) +
                                     "' is no measurement of a channel; there are pixels, sum, mean, min, max, stddev, "
                                     "median, percentiles such as p95, ring, and of two channels pearson, manders1, "
                                     "manders2");
        }
    }
    void addColumn() {
        ObjectCondition::Step step;
        step.operation = Operation::column;
        step.column = token_.column;
        step.end = token_.column + token_.text.size();
        const auto known = std::ranges::find(columns_, token_.text);
        step.columnIndex = static_cast<std::size_t>(known - columns_.begin());
        if (known == columns_.end()) {
            columns_.emplace_back(token_.text);
        }
        steps_.push_back(step);
        next();
    }

    std::string_view text_;
    std::span<const ObjectFeatureInfo> features_;
    std::size_t at_ = 0;
    Token token_;
    int nesting_ = 0;
    std::vector<ObjectCondition::Step> steps_;
    std::vector<std::string> columns_;
};

ObjectCondition ObjectCondition::parse(std::string_view text, std::span<const ObjectFeatureInfo> features) {
    ObjectCondition condition;
    ConditionParser(text, features).parseInto(condition);
    if (condition.statesUnits()) {
        ConditionDimensions(condition, text).requireFitting();
    }
    return condition;
}

std::string ObjectCondition::withUnits(std::string_view text, LengthUnit unit) {
    return ConditionDimensions(parse(text), text).withUnits(unit);
}

std::string ObjectCondition::withValues(std::string_view text, const ValueMapping& mapping,
                                        std::span<const ObjectFeatureInfo> features) {
    const std::vector<Step> steps = parse(text, features).steps_;
    std::string changed;
    std::size_t copied = 0;
    for (std::size_t place = 0; place < steps.size(); ++place) {
        if (steps[place].bound == Bound::none || steps[place].columnIndex != kNoColumn) {
            continue;
        }
        const Step& number = steps[place - (steps[place].bound == Bound::first ? 2 : 1)];
        if (number.operation == Operation::number) { // no level has a sign
            changed.append(text.substr(copied, number.column - copied));
            changed += exactNumber(mapping.valueOf(number.number));
            copied = number.end;
        }
    }
    return changed.append(text.substr(copied));
}

bool ObjectCondition::statesUnits() const noexcept {
    return std::ranges::any_of(steps_, [](const Step& step) {
        return step.operation == Operation::number && step.dimension != Dimension::none;
    });
}

bool ObjectCondition::hasUnits() const noexcept {
    return std::ranges::any_of(steps_, [](const Step& step) { return step.unit != LengthUnit::pixel; });
}

bool ObjectCondition::namesGrey() const noexcept {
    return std::ranges::any_of(steps_, [](const Step& step) {
        return step.operation == Operation::feature && objectFeatureInfo(step.feature).unit == FeatureUnit::grey;
    });
}

ObjectCondition ObjectCondition::inPixels(const std::optional<PixelSize>& size) const {
    ObjectCondition condition = *this;
    for (Step& step : condition.steps_) {
        if (step.unit == LengthUnit::pixel) {
            continue;
        }
        if (const std::string why = whyNoScene(size, step.dimension); !why.empty()) {
            throw ConditionError(ConditionFault::pixelSize, step.column, step.end - step.column,
                                 unitName(step.unit, step.dimension) + ": " + why);
        }
        step.number = pixelsOf(step.number, step.unit, step.dimension, *size);
        step.unit = LengthUnit::pixel;
    }
    return condition;
}

ObjectCondition ObjectCondition::inVolume(LengthUnit unit, const std::optional<PixelSize>& size) const {
    PixelSize one{1, 1, unitName(unit, Dimension::length), {}};
    one.z = 1;
    ObjectCondition condition = *this;
    for (Step& step : condition.steps_) {
        if (step.operation != Operation::number || step.dimension == Dimension::none || step.unit == unit) {
            step.unit = LengthUnit::pixel;
            continue;
        }
        const bool isOfVoxels = step.unit == LengthUnit::pixel || unit == LengthUnit::pixel;
        std::string why = isOfVoxels ? whyNoScene(size, Dimension::volume) : std::string();
        if (why.empty() && isOfVoxels && step.dimension != Dimension::volume) {
            why = "the features of the volume are in " + unitName(unit, Dimension::length) +
                  ": --unit states another unit";
        }
        if (!why.empty()) {
            throw ConditionError(ConditionFault::pixelSize, step.column, step.end - step.column,
                                 unitName(step.unit, step.dimension) + ": " + why);
        }
        step.number = step.unit == LengthUnit::pixel
                          ? inUnit(step.number, unit, step.dimension, *size)
                          : pixelsOf(step.number, step.unit, step.dimension, unit == LengthUnit::pixel ? *size : one);
        step.unit = LengthUnit::pixel;
    }
    return condition;
}

std::size_t ObjectCondition::placeOf(const Step& step, const std::string& column, std::span<const std::string> names) {
    std::vector<std::size_t> near; // in another case of letters
    std::string channels;
    std::vector<std::string_view> listed;
    const ColumnParts wanted = partsOfColumn(column);
    bool channelExists = isPairMeasure(wanted.measure);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == column) {
            return i;
        }
        const ColumnParts parts = partsOfColumn(names[i]);
        if (parts.measure.empty() || isPairMeasure(parts.measure) != isPairMeasure(wanted.measure)) {
            continue;
        }
        const bool isChannel = lowered(parts.channels) == lowered(wanted.channels);
        if (isChannel && parts.measure == wanted.measure) {
            near.push_back(i);
        }
        channelExists = channelExists || isChannel;
        if (std::ranges::find(listed, parts.channels) == listed.end()) {
            listed.push_back(parts.channels);
            channels += (channels.empty() ? "" : ", ") + std::string(parts.channels);
        }
    }
    if (near.size() == 1) {
        return near.front();
    }
    const std::size_t length = step.end - step.column;
    if (!near.empty()) {
        throw ConditionError(ConditionFault::noChannel, step.column, length,
                             "'" + column + "' fits several channels: " + channels);
    }
    if (!channelExists && !listed.empty() && !wanted.measure.empty()) {
        throw ConditionError(ConditionFault::noChannel, step.column, length,
                             "there is no channel '" + std::string(wanted.channels) + "'; there are " + channels);
    }
    throw ConditionError(ConditionFault::notMeasured, step.column, length,
                         "'" + column +
                             (wanted.measure.empty() ? "' is no column of this table" : "' is not measured"));
}

std::vector<std::size_t> ObjectCondition::placesIn(std::span<const std::string> names) const {
    std::vector<std::size_t> places(columns_.size());
    for (const Step& step : steps_) {
        if (step.operation == Operation::column) {
            places[step.columnIndex] = placeOf(step, columns_[step.columnIndex], names);
        }
    }
    return places;
}

void ObjectCondition::requireColumns(std::span<const std::string> names) const { (void)placesIn(names); }

ObjectCondition ObjectCondition::withColumns(std::span<const ObjectColumn> columns) const {
    std::vector<std::string> names(columns.size());
    std::ranges::transform(columns, names.begin(), &ObjectColumn::name);
    ObjectCondition condition = *this;
    condition.values_.clear();
    condition.mappings_.clear();
    for (const std::size_t place : placesIn(names)) {
        condition.values_.push_back(columns[place].valueOf);
        condition.mappings_.push_back(columns[place].values);
    }
    return condition;
}

bool ObjectCondition::isGreyValue(std::span<const Step> steps) noexcept {
    return steps.size() == 1 &&
           (steps.front().operation == Operation::column ||
            (steps.front().operation == Operation::feature &&
             (steps.front().feature == ObjectFeature::greyMin || steps.front().feature == ObjectFeature::greyMax ||
              steps.front().feature == ObjectFeature::greyMean)));
}

bool ObjectCondition::isNumber(std::span<const Step> steps) noexcept {
    return !steps.empty() && steps.front().operation == Operation::number &&
           (steps.size() == 1 || (steps.size() == 2 && steps.back().operation == Operation::negate));
}

double ObjectCondition::atBound(const Step& comparison, const MeasuredObject& object, double value,
                                double bound) const noexcept {
    if (comparison.columnIndex == kNoColumn) {
        return object.grey().atBound(value, bound);
    }
    const auto& mapping = mappings_[comparison.columnIndex];
    if (!mapping) {
        return value;
    }
    // Values of a range are rounded to levels, and so is the bound.
    const bool areRounded = !mapping->exact && mapping->isProportional();
    const bool isSame = areRounded && std::round(mapping->levelOf(value)) == std::round(mapping->levelOf(bound));
    return isSame || mapping->isBound(value, bound) ? bound : value;
}

double ObjectCondition::apply(Operation operation, double a, double b) noexcept {
    const auto truth = [](bool holds) { return holds ? 1.0 : 0.0; };
    switch (operation) {
    case Operation::add:
        return a + b;
    case Operation::subtract:
        return a - b;
    case Operation::multiply:
        return a * b;
    case Operation::divide:
        return a / b;
    case Operation::less:
        return truth(a < b);
    case Operation::lessOrEqual:
        return truth(a <= b);
    case Operation::greater:
        return truth(a > b);
    case Operation::greaterOrEqual:
        return truth(a >= b);
    case Operation::equal:
        return truth(a == b);
    case Operation::notEqual:
        return truth(a != b);
    case Operation::both:
        return truth(a != 0 && b != 0);
    case Operation::either:
        return truth(a != 0 || b != 0);
    case Operation::number:
    case Operation::feature:
    case Operation::column:
    case Operation::negate:
    case Operation::invert:
        break;
    }
    return 0;
}

EdgeMeasure ObjectCondition::edgeMeasure() const noexcept {
    EdgeMeasure measure = EdgeMeasure::none;
    for (const Step& step : steps_) {
        measure = std::max(measure, edgeMeasureOf(step.feature)); // other steps have the feature `label`: none
    }
    return measure;
}

bool ObjectCondition::holds(const MeasuredObject& object, double side) const noexcept {
    // The nesting limits the stack: every open level holds at most one value per operator precedence.
    std::array<double, std::size_t{6} * (kMostNesting + 1)> stack; // NOLINT(cppcoreguidelines-pro-type-member-init)
    std::size_t size = 0;
    for (const Step& step : steps_) {
        switch (step.operation) {
        case Operation::number:
            // Computed like the lengths and areas of features, so that equal values compare equal.
            stack[size++] = step.dimension == Dimension::none     ? step.number
                            : step.dimension == Dimension::length ? step.number * side
                                                                  : step.number * side * side;
            break;
        case Operation::feature:
            stack[size++] = object.valueOf(step.feature);
            break;
        case Operation::column:
            stack[size++] = values_[step.columnIndex](object.label());
            break;
        case Operation::negate:
            stack[size - 1] = -stack[size - 1];
            break;
        case Operation::invert:
            stack[size - 1] = stack[size - 1] == 0 ? 1 : 0;
            break;
        default:
            --size;
            if (step.bound == Bound::first) {
                stack[size] = atBound(step, object, stack[size], stack[size - 1]);
            } else if (step.bound == Bound::second) {
                stack[size - 1] = atBound(step, object, stack[size - 1], stack[size]);
            }
            stack[size - 1] = apply(step.operation, stack[size - 1], stack[size]);
            break;
        }
    }
    return size == 0 || stack[0] != 0;
}

} // namespace pollard
