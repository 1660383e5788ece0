#include "filter/filter_spec.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <string>

namespace pollard {
namespace {

using ::testing::HasSubstr;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Form {
    const char* text;
    Criterion expected;
};

void PrintTo(const Form& form, std::ostream* out) { *out << form.text; }

class CriterionForms : public ::testing::TestWithParam<Form> {};

TEST_P(CriterionForms, AreRead) {
    const Criterion read = parseCriterion(GetParam().text);
    EXPECT_EQ(read.attribute, GetParam().expected.attribute);
    EXPECT_EQ(read.minimum, GetParam().expected.minimum);
    EXPECT_EQ(read.maximum, GetParam().expected.maximum);
}

INSTANTIATE_TEST_SUITE_P(
    All, CriterionForms,
    ::testing::Values(
        Form{"area>=100", {AttributeId::area, 100, kInf}}, Form{"area<=100", {AttributeId::area, -kInf, 100}},
        Form{"10<=area<=100", {AttributeId::area, 10, 100}}, Form{"100>=area>=10", {AttributeId::area, 10, 100}},
        Form{"100<=area", {AttributeId::area, 100, kInf}}, Form{"100>=area", {AttributeId::area, -kInf, 100}},
        Form{"area>99", {AttributeId::area, 100, kInf}}, Form{"area<101", {AttributeId::area, -kInf, 100}},
        Form{"99<area<101", {AttributeId::area, 100, 100}}, Form{"99<area<=120", {AttributeId::area, 100, 120}},
        Form{"area==5", {AttributeId::area, 5, 5}}, Form{"5==area", {AttributeId::area, 5, 5}},
        Form{" \tarea  >=\t100 ", {AttributeId::area, 100, kInf}},
        Form{" 10 <= bbox_area <= 1e3 ", {AttributeId::bboxArea, 10, 1000}},
        Form{"height_px>=3", {AttributeId::heightPx, 3, kInf}}, Form{"level>=-5", {AttributeId::level, -5, kInf}},
        // Strict bounds of integral attributes are the next integer, also from a fraction.
        Form{"area>99.5", {AttributeId::area, 100, kInf}}, Form{"area<100.5", {AttributeId::area, -kInf, 100}},
        Form{"area>-0.5", {AttributeId::area, 0, kInf}}, Form{"area<0", {AttributeId::area, -kInf, -1}},
        Form{"volume>9007199254740992", {AttributeId::volume, 9007199254740994.0, kInf}},
        // Bounds of other attributes are the next double.
        Form{"mean>1", {AttributeId::mean, std::nextafter(1.0, 2.0), kInf}},
        Form{"mean<1", {AttributeId::mean, -kInf, std::nextafter(1.0, 0.0)}},
        Form{"bbox_diagonal>0", {AttributeId::bboxDiagonal, std::numeric_limits<double>::denorm_min(), kInf}},
        Form{"mean>=.5", {AttributeId::mean, 0.5, kInf}}, Form{"area>=-inf", {AttributeId::area, -kInf, kInf}},
        Form{"inf>=area", {AttributeId::area, -kInf, kInf}},
        Form{"area>-inf", {AttributeId::area, std::numeric_limits<double>::lowest(), kInf}}));

struct BadForm {
    const char* text;
    const char* why;
};

void PrintTo(const BadForm& form, std::ostream* out) { *out << form.text; }

class BadCriteria : public ::testing::TestWithParam<BadForm> {};

TEST_P(BadCriteria, AreRefusedWithTheTextAndTheReason) {
    try {
        const Criterion read = parseCriterion(GetParam().text);
        FAIL() << "read as " << toString(read);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        EXPECT_THAT(error.what(), HasSubstr(std::string("'") + GetParam().text + "'"));
        EXPECT_THAT(error.what(), HasSubstr(GetParam().why));
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadCriteria,
    ::testing::Values(BadForm{"", "empty"}, BadForm{"   ", "empty"}, BadForm{"area", "comparison is missing"},
                      BadForm{"area>=", "number is missing"}, BadForm{"area 100", "expected >="},
                      BadForm{"area=100", "expected >="}, BadForm{"area=>100", "expected >="},
                      BadForm{"area!=5", "expected >="}, BadForm{">=100", "expected a number"},
                      BadForm{"100", "comparison is missing"}, BadForm{"100<=", "attribute name is missing"},
                      BadForm{"100<=5", "unknown attribute '5'"}, BadForm{"size>=100", "unknown attribute 'size'"},
                      BadForm{"Area>=100", "unknown attribute 'Area'"}, BadForm{"area>=100px", "'px' is a length"},
                      BadForm{"area>=1,5", "',5' is left over"}, BadForm{"area>=1 2", "'2' is left over"},
                      BadForm{"area>=10 and area<=20", "left over"}, BadForm{"area>=0x10", "'x10' is left over"},
                      BadForm{"area>=ten", "expected a number"}, BadForm{"area>=nan", "NaN"},
                      BadForm{"area>=1e999", "double"}, BadForm{"10<=area>=100", "same way"},
                      BadForm{"10==area==10", "same way"}, BadForm{"10<=area<=100<=200", "left over"},
                      BadForm{"100<=area<=10", "no value"}, BadForm{"5<area<6", "no value"},
                      BadForm{"area>inf", "no value"}, BadForm{"area<-inf", "no value"}));

TEST(CriterionText, IsCanonical) {
    EXPECT_EQ(toString({AttributeId::area, 100, kInf}), "area>=100");
    EXPECT_EQ(toString({AttributeId::area, -kInf, 100}), "area<=100");
    EXPECT_EQ(toString({AttributeId::heightPx, 10, 100}), "10<=height_px<=100");
    EXPECT_EQ(toString({AttributeId::mean, 0.1, 0.1}), "mean==0.1");
    EXPECT_EQ(toString({AttributeId::area, -kInf, kInf}), "area>=-inf");
}

TEST(CriterionText, IsReadBackToTheSameCriterion) {
    std::mt19937_64 random(7);
    const auto number = [&random] {
        switch (random() % 4) {
        case 0:
            return static_cast<double>(random() % 100'000);
        case 1:
            return -static_cast<double>(random() % 1000) / 7.0;
        case 2:
            return std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 600) - 300);
        default:
            return random() % 2 == 0 ? kInf : -kInf;
        }
    };
    for (int i = 0; i < 20'000; ++i) {
        double low = number();
        double high = number();
        if (low > high) {
            std::swap(low, high);
        }
        const auto all = allAttributes();
        const Criterion criterion{all[random() % all.size()].id, low, random() % 8 == 0 ? low : high};
        const std::string text = toString(criterion);
        ASSERT_EQ(parseCriterion(text), criterion) << text;
        ASSERT_EQ(toString(parseCriterion(text)), text);
    }
}

TEST(ProminentText, IsReadBackToTheSame) {
    for (const Prominence measure : kAllProminences) {
        for (const std::uint32_t count : {0U, 1U, 20U, 4294967295U}) {
            const Prominent prominent{measure, count};
            EXPECT_EQ(parseProminent(toString(prominent)), prominent);
        }
    }
    EXPECT_EQ(toString(Prominent{Prominence::extinctionArea, 7}), "extinction_area:7");
    for (const char* text : {"", "dynamics", "dynamics:", ":20", "area:20", "dynamics:-1", "dynamics:1.5",
                             "dynamics:4294967296", "dynamics:20 ", "dynamics:20:3", "Dynamics:20"}) {
        EXPECT_THROW((void)parseProminent(text), Error) << text;
    }
}

TEST(FilterNames, AreTheOnesOfCommandLineAndRecipes) {
    EXPECT_EQ(nameOf(Rule::direct), "direct");
    EXPECT_EQ(nameOf(Rule::min), "min");
    EXPECT_EQ(nameOf(Rule::max), "max");
    EXPECT_EQ(nameOf(Rule::viterbi), "viterbi");
    EXPECT_EQ(nameOf(Rule::subtractive), "subtractive");
    EXPECT_EQ(nameOf(Match::all), "all");
    EXPECT_EQ(nameOf(Match::any), "any");
    EXPECT_EQ(nameOf(Output::filtered), "filtered");
    EXPECT_EQ(nameOf(Output::residue), "residue");
    EXPECT_EQ(nameOf(Output::mask), "mask");
    EXPECT_EQ(nameOf(Output::labels), "labels");
    EXPECT_EQ(nameOf(Prominence::dynamics), "dynamics");
    EXPECT_EQ(nameOf(Prominence::extinctionArea), "extinction_area");
    EXPECT_EQ(nameOf(Prominence::extinctionVolume), "extinction_volume");
}

} // namespace
} // namespace pollard
