#include "channels/derivation.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "channels/bands.hpp"
#include "channels/channel_numbers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace pollard {

namespace {

using Function = Derivation::Function;

constexpr std::size_t kMostOperands = 64;
constexpr double kLeastLight = 1e-6; ///< of scikit-image
constexpr double kNoData = std::numeric_limits<double>::quiet_NaN();

struct Form {
    std::string_view name;
    Function function;
    std::size_t least; ///< operands
    std::size_t most;
    std::string_view usage;
};
constexpr std::array kForms{
    Form{"sum", Function::sum, 1, kMostOperands, "sum(A,B,..)"},
    Form{"mean", Function::mean, 1, kMostOperands, "mean(A,B,..)"},
    Form{"max", Function::max, 1, kMostOperands, "max(A,B,..)"},
    Form{"min", Function::min, 1, kMostOperands, "min(A,B,..)"},
    Form{"ratio", Function::ratio, 2, 2, "ratio(A,B)"},
    Form{"nd", Function::difference, 2, 2, "nd(A,B)"},
    Form{"pca", Function::component, 1, 1, "pca(K)"},
    Form{"stain", Function::stain, 2, 2, "stain(SET,K)"},
    Form{"macenko", Function::macenko, 1, 1, "macenko(K)"},
};

const SpectralIndex* findIndex(std::string_view name) {
    const auto* const found = std::ranges::find(kSpectralIndices, name, &SpectralIndex::name);
    return found == kSpectralIndices.end() ? nullptr : found;
}

const Form* findForm(std::string_view name) {
    const auto* const found = std::ranges::find(kForms, name, &Form::name);
    return found == kForms.end() ? nullptr : found;
}

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::string_view kBlanks = " \t";

std::string quoted(const std::string& name) {
    const auto isPlain = [](char c) { return isWordCharacter(c) || c == '-' || c == '.'; };
    if (!name.empty() && std::ranges::all_of(name, isPlain) && lowered(name) != "all") {
        return name;
    }
    return inQuotes(name);
}

bool isTransparency(const Channel& channel) { return lowered(channel.name) == "alpha"; }

std::vector<std::size_t> coloursOf(std::span<const Channel> channels, const std::string& text) {
    const std::array found{findChannel(channels, "red"), findChannel(channels, "green"), findChannel(channels, "blue")};
    if (found[0] && found[1] && found[2]) {
        return {*found[0], *found[1], *found[2]};
    }
    if (channels.size() == 3) {
        return {0, 1, 2};
    }
    throw Error(ErrorCode::invalidArgument,
                text + ": needs channels named red, green and blue; there are: " + namesOf(channels));
}

double larger(double a, double b) { return b > a ? b : a; }
double smaller(double a, double b) { return b < a ? b : a; }
double plus(double a, double b) { return a + b; }
double same(double value) { return value; }
double atLeastZero(double value) { return larger(value, 0); }
double ratioOf(double a, double b) { return b == 0 ? kNoData : a / b; }
double differenceOf(double a, double b) { return ratioOf(a - b, a + b); }

Buffer<double> componentOf(const ChannelValues& input, std::size_t number, const JobControl& control) {
    const std::vector<ChannelNumbers> plain = input.numbers([](std::size_t, double value) { return value; });
    Moments moments;
    {
        const Buffer<double> valid = joined(input.planes, plain, plus, same, control);
        moments = momentsOf(plain, valid, control);
    }
    const std::vector<double> axis = eigenvectorsOf(moments.covariances)[number];
    const auto weighted = input.numbers([axis, means = moments.means](std::size_t channel, double value) {
        return axis[channel] * (value - means[channel]);
    });
    return joined(input.planes, weighted, plus, same, control);
}

Buffer<double> stainOf(const ChannelValues& input, const StainMatrix& inverse, std::size_t number, double white,
                       const JobControl& control) {
    const auto weighted = input.numbers([inverse, number, white](std::size_t channel, double value) {
        return std::log(std::max(value / white, kLeastLight)) / std::log(kLeastLight) * inverse[channel][number];
    });
    return joined(input.planes, weighted, plus, atLeastZero, control);
}

/// Vectors of the two stains at the ends of the angles in the plane of the largest variance.
std::array<StainVector, 2> stainsSeen(std::span<const ChannelPlane> planes,
                                      const std::vector<ChannelNumbers>& densities, const JobControl& control) {
    constexpr double kLeastDensity = 0.15;
    constexpr double kQuantile = 0.01;
    constexpr std::uint64_t kFewest = 3;
    const auto stained = [](double least) { return least < kLeastDensity ? kNoData : least; };
    Buffer<double> angles = joined(planes, densities, smaller, stained, control);
    const Moments moments = momentsOf(densities, angles, control);
    if (moments.count < kFewest) {
        throw Error(ErrorCode::invalidArgument, "macenko: hardly any pixel is stained (optical density 0.15 or more)");
    }
    const std::vector<std::vector<double>> axes = eigenvectorsOf(moments.covariances);
    std::vector<double> first = axes[0];
    if (first[0] + first[1] + first[2] < 0) {
        std::ranges::transform(first, first.begin(), std::negate<>());
    }
    const std::vector<double>& second = axes[1];
    forEachIndex(angles.size(), control, [&](std::size_t i) {
        if (!std::isnan(angles[i])) {
            double along = 0;
            double across = 0;
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const double density = densities[channel].at(i);
                along += first[channel] * density;
                across += second[channel] * density;
            }
            angles[i] = std::atan2(across, along);
        }
    });
    double* const end = std::remove_if(angles.begin(), angles.end(), [](double angle) { return std::isnan(angle); });
    const auto vectorAt = [&](double quantile) {
        const auto rank = std::lround(quantile * static_cast<double>(end - angles.begin() - 1));
        std::nth_element(angles.begin(), angles.begin() + rank, end);
        const double angle = angles[static_cast<std::size_t>(rank)];
        StainVector vector{};
        for (std::size_t channel = 0; channel < 3; ++channel) {
            vector[channel] = first[channel] * std::cos(angle) + second[channel] * std::sin(angle);
        }
        return vector;
    };
    std::array stains{vectorAt(kQuantile), vectorAt(1 - kQuantile)};
    if (stains[0][0] < stains[1][0]) { // haematoxylin absorbs more red
        std::swap(stains[0], stains[1]);
    }
    return stains;
}

Buffer<double> macenkoOf(const ChannelValues& input, std::size_t number, double white, const JobControl& control) {
    const std::vector<ChannelNumbers> densities = input.densities(white);
    const std::array<StainVector, 2> stains = stainsSeen(input.planes, densities, control);
    // Least squares: the residual is orthogonal to both.
    const StainMatrix inverse = inverseOf(withResidual(stains[0], stains[1]));
    if (!std::isfinite(inverse[0][number])) {
        throw Error(ErrorCode::invalidArgument, "macenko: all stained pixels have one hue");
    }
    return joined(input.planes, input.densities(white, {inverse[0][number], inverse[1][number], inverse[2][number]}),
                  plus, atLeastZero, control);
}

} // namespace

/// Reads `name`, or `name(operand, operand)`.
class DerivationParser {
public:
    explicit DerivationParser(std::string_view text) : text_(text) {}

    Derivation parse() {
        const std::string name = lowered(word());
        skipSpaces();
        if (const SpectralIndex* const index = findIndex(name); index != nullptr && at_ == text_.size()) {
            result_.function_ = Function::difference;
            result_.index_ = name;
            result_.operands_ = {{std::string(index->first)}, {std::string(index->second)}};
            result_.text_ = name;
            return std::move(result_);
        }
        const Form* const form = findForm(name);
        if (form == nullptr) {
            fail(0, "expected one of " + derivationHelp());
        }
        readOperands(*form);
        result_.function_ = form->function;
        switch (form->function) {
        case Function::component:
            result_.number_ = number(0, kMostOperands);
            result_.text_ = "pca(" + std::to_string(result_.number_ + 1) + ")";
            break;
        case Function::macenko:
            result_.number_ = number(0, 2);
            result_.text_ = "macenko(" + std::to_string(result_.number_ + 1) + ")";
            break;
        case Function::stain:
            takeStain();
            break;
        default:
            takeChannels();
        }
        return std::move(result_);
    }

private:
    struct Read {
        std::string text;
        bool quotes = false;
        std::size_t at = 0;
    };

    [[noreturn]] void fail(std::size_t at, const std::string& why) const {
        throw Error(ErrorCode::invalidArgument,
                    "expression: " + std::string(text_) + ": character " + std::to_string(at + 1) + ": " + why);
    }

    void skipSpaces() {
        while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) {
            ++at_;
        }
    }

    std::string_view word() {
        skipSpaces();
        const std::size_t begin = at_;
        while (at_ < text_.size() && isWordCharacter(text_[at_])) {
            ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }

    void expect(char c) {
        skipSpaces();
        if (at_ == text_.size() || text_[at_] != c) {
            fail(at_, std::string("expected ") + c);
        }
        ++at_;
    }

    Read operand() {
        skipSpaces();
        Read read{{}, false, at_};
        if (at_ < text_.size() && text_[at_] == '"') {
            read.quotes = true;
            for (++at_;; ++at_) {
                if (at_ == text_.size()) {
                    fail(at_, "expected \"");
                }
                if (text_[at_] == '"' && (++at_ == text_.size() || text_[at_] != '"')) {
                    return read;
                }
                read.text += text_[at_];
            }
        }
        std::size_t end = text_.find_first_of(",()\"", at_);
        if (at_ < text_.size() && text_[at_] == '[') {
            end = text_.find(']', at_);
            if (end == std::string_view::npos) {
                fail(at_, "expected ]");
            }
            ++end;
        }
        end = std::min(end, text_.size());
        read.text = trimmed(text_.substr(at_, end - at_), kBlanks);
        at_ = end;
        if (read.text.empty()) {
            fail(read.at, "expected a channel or a number");
        }
        return read;
    }

    void readOperands(const Form& form) {
        expect('(');
        read_.push_back(operand());
        for (skipSpaces(); at_ < text_.size() && text_[at_] == ','; skipSpaces()) {
            ++at_;
            read_.push_back(operand());
        }
        expect(')');
        skipSpaces();
        if (at_ != text_.size()) {
            fail(at_, "expected the end");
        }
        if (read_.size() < form.least || read_.size() > form.most) {
            fail(0, "expected " + std::string(form.usage));
        }
    }

    [[nodiscard]] std::size_t number(std::size_t which, std::size_t most) const {
        const std::string& text = read_[which].text;
        std::size_t value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem != std::errc{} || end != text.data() + text.size() || value < 1 || value > most) {
            fail(read_[which].at, "expected a number from 1 to " + std::to_string(most));
        }
        return value - 1;
    }

    void takeChannels() {
        for (const Read& read : read_) {
            const bool all = !read.quotes && lowered(read.text) == "all";
            result_.operands_.push_back({all ? "all" : read.text, all});
        }
        std::vector<std::string> names;
        for (const Derivation::Operand& operand : result_.operands_) {
            names.push_back(operand.all ? operand.name : quoted(operand.name));
        }
        result_.text_ = result_.call(names);
    }

    void takeStain() {
        if (read_[0].text.starts_with('[')) {
            result_.stains_ = vectors();
            const auto named = std::ranges::find(result_.own_, lowered(read_[1].text),
                                                 [](const CustomStain& own) { return lowered(own.name); });
            result_.number_ =
                named == result_.own_.end() ? number(1, 3) : static_cast<std::size_t>(named - result_.own_.begin());
            result_.text_ = stainText(result_.own_, result_.number_);
            return;
        }
        const std::string name = lowered(read_[0].text);
        const auto set = std::ranges::find_if(stainSets(), [&](const StainSet& each) {
            return each.name == name || (each.alias == name && !name.empty());
        });
        if (set == stainSets().end()) {
            std::string names;
            for (const StainSet& each : stainSets()) {
                names += std::string(each.name) + ", ";
            }
            fail(read_[0].at, "expected one of " + names + "or vectors [r,g,b;r,g,b]");
        }
        std::string stain = lowered(read_[1].text);
        stain = stain == "hematoxylin" ? "haematoxylin" : stain;
        const auto* const named = std::ranges::find(set->stains, stain);
        if (named == set->stains.end() && stain.find_first_not_of("0123456789") != std::string::npos) {
            fail(read_[1].at, "expected " + std::string(set->stains[0]) + ", " + std::string(set->stains[1]) + ", " +
                                  std::string(set->stains[2]) + " or a number from 1 to 3");
        }
        result_.number_ =
            named != set->stains.end() ? static_cast<std::size_t>(named - set->stains.begin()) : number(1, 3);
        result_.stains_ = set->vectors;
        result_.text_ = "stain(" + std::string(set->name) + "," + std::string(set->stains[result_.number_]) + ")";
    }

    /// Reads "name=" at the start; empty if there is none.
    [[nodiscard]] std::string ownName(std::string_view& left) const {
        const std::size_t equals = left.find('=');
        if (equals == std::string_view::npos || equals > left.find(',')) {
            return {};
        }
        std::string name(trimmed(left.substr(0, equals), kBlanks));
        const auto isSame = [&](const CustomStain& own) { return lowered(own.name) == lowered(name); };
        if (name.empty() || stainNameOf(name) != name || std::ranges::any_of(result_.own_, isSame)) {
            fail(read_[0].at, "expected different names of stains, which are no numbers");
        }
        left = trimmed(left.substr(equals + 1), kBlanks);
        return name;
    }

    /// The rows of [r,g,b;r,g,b], two or three, perhaps with names.
    StainMatrix vectors() {
        std::string_view left = read_[0].text;
        std::vector<double> numbers;
        left.remove_prefix(1);
        for (char end = ','; end != ']';) {
            left = trimmed(left, kBlanks);
            if (numbers.size() % 3 == 0) {
                result_.own_.push_back({ownName(left), {}});
            }
            double value = 0;
            const auto [stop, problem] = std::from_chars(left.data(), left.data() + left.size(), value);
            left = trimmed(left.substr(static_cast<std::size_t>(stop - left.data())), kBlanks);
            numbers.push_back(value);
            end = left.empty() ? '?' : left.front();
            const char expected = numbers.size() == 9 ? ']' : numbers.size() % 3 == 0 ? ';' : ',';
            const bool last = end == ']' && numbers.size() == 6;
            if (problem != std::errc{} || !std::isfinite(value) || (end != expected && !last)) {
                fail(read_[0].at, "expected two or three vectors [r,g,b;r,g,b]");
            }
            left.remove_prefix(1);
            result_.own_.back().vector[(numbers.size() - 1) % 3] = value;
        }
        const StainVector first{numbers[0], numbers[1], numbers[2]};
        const StainVector second{numbers[3], numbers[4], numbers[5]};
        const StainMatrix all = numbers.size() == 6 ? withResidual(first, second)
                                                    : StainMatrix{first, second, {numbers[6], numbers[7], numbers[8]}};
        for (const StainVector& row : inverseOf(all)) {
            if (!std::ranges::all_of(row, [](double value) { return std::isfinite(value); })) {
                fail(read_[0].at, "the vectors lie in one plane");
            }
        }
        return all;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<Read> read_;
    Derivation result_;
};

bool Derivation::isExpression(std::string_view text) {
    text = trimmed(text, kBlanks);
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) {
        return findIndex(lowered(text)) != nullptr;
    }
    const std::string_view before = text.substr(0, open);
    return (!before.empty() && std::ranges::all_of(before, isWordCharacter)) ||
           findForm(lowered(trimmed(before, kBlanks))) != nullptr;
}

Derivation Derivation::parse(std::string_view text) { return DerivationParser(text).parse(); }

std::string Derivation::call(std::span<const std::string> operands) const {
    std::string text(std::ranges::find(kForms, function_, &Form::function)->name);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        text += (i == 0 ? "(" : ",") + operands[i];
    }
    return text + ")";
}

std::size_t Derivation::resolve(const Operand& operand, std::span<const Channel> channels) const {
    if (const auto found = findChannel(channels, operand.name)) {
        return *found;
    }
    if (const auto found = findBand(channels, operand.name)) {
        return *found;
    }
    throw Error(ErrorCode::invalidArgument, text_ + ": no channel is " + operand.name +
                                                "; there are: " + namesOf(channels) +
                                                (index_.empty() ? "" : "; name the bands, for example nd(3,0)"));
}

std::vector<std::size_t> Derivation::inputs(std::span<const Channel> channels) const {
    if (function_ == Function::stain || function_ == Function::macenko) {
        return coloursOf(channels, text_);
    }
    std::vector<std::size_t> found;
    const auto addAll = [&] {
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (!isTransparency(channels[i])) {
                found.push_back(i);
            }
        }
    };
    if (function_ == Function::component) {
        addAll();
        if (number_ >= found.size()) {
            throw Error(ErrorCode::invalidArgument,
                        text_ + ": the image has " + std::to_string(found.size()) + " components");
        }
    }
    for (const Operand& operand : operands_) {
        if (operand.all) {
            addAll();
        } else {
            found.push_back(resolve(operand, channels));
        }
    }
    return found;
}

std::string Derivation::describe(std::span<const Channel> channels) const {
    if (operands_.empty()) {
        return own_.empty() ? text_ : spacedText(text_);
    }
    std::vector<std::string> names;
    for (const Operand& operand : operands_) {
        names.push_back(operand.all ? operand.name : quoted(channels[resolve(operand, channels)].name));
    }
    return (index_.empty() ? "" : index_ + " = ") + call(names);
}

bool Derivation::keepsWholeNumbers() const noexcept {
    return function_ == Function::sum || function_ == Function::max || function_ == Function::min;
}

Buffer<double> Derivation::values(std::span<const ChannelPlane> planes, double white, const JobControl& control,
                                  std::span<const ExactValues> exact) const {
    const ChannelValues input{planes, exact};
    switch (function_) {
    case Function::component:
        return componentOf(input, number_, control);
    case Function::stain:
        return stainOf(input, inverseOf(stains_), number_, white, control);
    case Function::macenko:
        return macenkoOf(input, number_, white, control);
    default:
        break;
    }
    const std::vector<ChannelNumbers> plain = input.numbers([](std::size_t, double value) { return value; });
    switch (function_) {
    case Function::mean:
        return joined(
            planes, plain, plus, [count = static_cast<double>(planes.size())](double sum) { return sum / count; },
            control);
    case Function::max:
        return joined(planes, plain, larger, same, control);
    case Function::min:
        return joined(planes, plain, smaller, same, control);
    case Function::ratio:
        return joined(planes, plain, ratioOf, same, control);
    case Function::difference:
        return joined(planes, plain, differenceOf, same, control);
    default:
        return joined(planes, plain, plus, same, control);
    }
}

std::string derivationHelp() {
    std::string text;
    for (const Form& form : kForms) {
        text += (text.empty() ? "" : " ") + std::string(form.usage);
    }
    for (const SpectralIndex& index : kSpectralIndices) {
        text += " " + std::string(index.name);
    }
    return text;
}

} // namespace pollard
