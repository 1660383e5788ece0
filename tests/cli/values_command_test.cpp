// Numbers of grey on the command line are the values of the file, however its samples are stored.

#include "cli_fixture.hpp"
#include "core/io/io_volume_files.hpp"

#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<double> kBones{-1000, -1000, -1000, -1000, -1000, -1000, //
                                 -1000, 60,    60,    -1000, 700,   700,   //
                                 -1000, 60,    60,    -1000, 300,   -1000, //
                                 300,   -1000, -1000, -1000, -1000, -1000};

class ValuesCommand : public CliTest {
protected:
    /// Writes an image of 6 x 4 pixels as NIfTI.
    template <class Sample> void write(const std::string& name, const std::vector<double>& values, int datatype,
                                       double slope = 0, double inter = 0) const {
        test::NiftiHeader header{.dim = {6, 4}, .datatype = datatype, .slope = slope, .inter = inter};
        std::string bytes = header.bytes();
        for (const double value : values) {
            const double sample = slope == 0 ? value : (value - inter) / slope;
            bytes += test::bytesOfNumber(static_cast<Sample>(sample), false);
        }
        std::ofstream(path(name), std::ios::binary) << bytes;
    }
    void writeBones() const {
        write<std::int16_t>("i16.nii", kBones, 4);
        write<float>("f32.nii", kBones, 16);
        write<std::int16_t>("scaled.nii", kBones, 4, 0.5, 100);
    }
    [[nodiscard]] std::string textOf(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }
};

TEST_F(ValuesCommand, ThresholdsAreValues) {
    writeBones();
    for (const char* name : {"i16.nii", "f32.nii", "scaled.nii"}) {
        const auto find = [&](const Args& more) {
            Args args{"components", path(name), "--threshold"};
            args.insert(args.end(), more.begin(), more.end());
            return call(args);
        };
        const Json bones = find({"300", "--json"}).json();
        EXPECT_EQ(bones.at("count"), 2) << name;
        EXPECT_EQ(bones.at("foreground"), 4) << name;
        EXPECT_EQ(bones.at("threshold"), 300) << name;
        EXPECT_EQ(bones.at("threshold_high"), nullptr) << name;
        EXPECT_EQ(find({"-200:299.5", "--json"}).json().at("foreground"), 4) << name;
        EXPECT_EQ(find({":60", "--json"}).json().at("foreground"), 20) << name;
        EXPECT_EQ(find({"61:299", "--json"}).json().at("count"), 0) << name;
        EXPECT_THAT(find({"300"}).out, HasSubstr("2 objects of values from 300 on, 4 pixels")) << name;
        EXPECT_THAT(find({"301"}).out, HasSubstr("1 object of values from 301 on, 2 pixels")) << name;
        EXPECT_THAT(find({"300 HU"}).err, HasSubstr("'300 HU': the values of the image have no unit")) << name;
        const Outcome beyond = find({"70000"});
        EXPECT_EQ(beyond.code, 1) << name;
        EXPECT_THAT(beyond.err, HasSubstr("'70000': the values are -1000 to 700")) << name;
    }
    const Json streamed = call({"components", path("i16.nii"), "--threshold", "300", "--stream", "--json"}).json();
    EXPECT_EQ(streamed.at("count"), 2);
    EXPECT_EQ(streamed.at("threshold"), 300);
}

TEST_F(ValuesCommand, FeaturesOfObjectsAreValues) {
    writeBones();
    for (const char* name : {"i16.nii", "f32.nii", "scaled.nii"}) {
        const Json found = call({"components", path(name), "--threshold", "300", "--csv", path("o.csv"), "--features",
                                 "label,grey_min,grey_max,grey_sum", "--json"})
                               .json();
        EXPECT_EQ(found.at("count"), 2);
        EXPECT_EQ(textOf("o.csv"), "label,grey_min,grey_max,grey_sum\n1,300,700,1700\n2,300,300,300\n") << name;
        const Json bright =
            call({"components", path(name), "--threshold", "300", "--where", "grey_mean > 300", "--json"}).json();
        EXPECT_EQ(bright.at("listed"), 1) << name;
    }
}

TEST_F(ValuesCommand, TreesAndFiltersAreInValues) {
    writeBones();
    ASSERT_EQ(call({"tree", path("i16.nii"), "--attributes", "mean,height", "--nodes", path("n.csv")}).code, 0);
    EXPECT_THAT(textOf("n.csv"), HasSubstr("0,0,-1000,5,3,"));
    EXPECT_THAT(textOf("n.csv"), Not(HasSubstr("327")));
    const Json info = call({"info", path("i16.nii"), "--json"}).json();
    const auto level = static_cast<int>(300 - info.at("mapping").at("offset").get<double>());
    const auto kept = [&](const std::string& criterion) {
        const Outcome outcome = call({"filter", path("i16.nii"), "--keep", criterion, "-o", path("o.nii"), "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json().at("kept");
    };
    EXPECT_EQ(kept("level>=300"), kept("level>=" + std::to_string(level) + "levels"));
    EXPECT_NE(kept("level>=300"), kept("level>=60"));
    EXPECT_EQ(info.at("min"), -1000);
    EXPECT_EQ(call({"tree", path("i16.nii"), "--json"}).json().at("root_level"), -1000);
}

TEST_F(ValuesCommand, HeightsAreDifferencesOfValues) {
    std::vector<double> peaks(24, 0.0);
    peaks[7] = 1.5;
    peaks[16] = 0.3;
    write<float>("peaks.nii", peaks, 16);
    const auto maxima = [&](const std::string& h) {
        return call({"h-maxima", path("peaks.nii"), "--h", h, "-o", path("h.nii"), "--json"}).json().at("maxima");
    };
    EXPECT_EQ(maxima("0.2"), 2);
    EXPECT_EQ(maxima("0.5"), 1);
    const Outcome beyond = call({"h-maxima", path("peaks.nii"), "--h", "20", "-o", path("h.nii")});
    EXPECT_EQ(beyond.code, 1);
    EXPECT_THAT(beyond.err, HasSubstr("height: 20: the values differ by 1.5 at most"));
}

TEST_F(ValuesCommand, DifferencesOfFloatsAreThoseOfTheValues) {
    std::vector<double> values;
    for (const double bone : kBones) { // components of 4, 3 and 1 pixels
        values.push_back(bone == -1000 ? 0.1 : bone == 60 ? 0.25 : bone / 1000);
    }
    write<float>("f.nii", values, 16);
    const auto result = [&](const std::string& rule, const std::string& output) {
        const Outcome outcome = call({"filter", path("f.nii"), "--keep", "area>=4", "--rule", rule, "--output", output,
                                      "-o", path("r.tif"), "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("changed_pixels"), 4);
        const LoadedImage read = readImage(path("r.tif"));
        EXPECT_EQ(read.info.mapping->file.type, ValueType::f32);
        std::vector<double> found;
        for (std::size_t i = 0; i < values.size(); ++i) {
            found.push_back(valueOf(read.info.mapping, read.image->level(i)));
        }
        return found;
    };
    std::vector<double> filtered;
    std::vector<double> residue;
    for (const double value : values) {
        const bool isRemoved = value > 0.26;
        filtered.push_back(static_cast<float>(isRemoved ? 0.1 : value));
        residue.push_back(isRemoved ? static_cast<float>(value) - 0.1F : 0.0F);
    }
    EXPECT_EQ(result("direct", "residue"), residue);
    EXPECT_EQ(result("subtractive", "residue"), residue);
    EXPECT_EQ(result("subtractive", "filtered"), filtered);

    const Json spectrum = call({"spectrum", path("f.nii"), "--attribute", "area", "--json"}).json();
    EXPECT_NEAR(spectrum.at("total").get<double>(), 4 * 0.15 + 2 * 0.6 + 0.2 + 0.2, 1e-6);
    const Json profile =
        call({"profile", path("f.nii"), "-o", path("p.tif"), "--attribute", "area", "--thresholds", "4", "--json"})
            .json();
    EXPECT_NEAR(profile.at("page_list").at(0).at("changed_mass").get<double>(), 2 * 0.6 + 0.2 + 0.2, 1e-6);
    const LoadedImage page = readImage(path("p.tif"));
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(valueOf(page.info.mapping, page.image->level(i)), filtered[i]);
    }
}

TEST_F(ValuesCommand, RecipesInValuesGiveTheSameOnOtherMappings) {
    writeBones();
    const auto write = [&](const std::string& members, const std::string& objects) {
        std::ofstream(path("r.json")) << R"({"pollard_recipe": 1, "name": "bone", )" << members
                                      << R"("steps": [{"id": "filter", "version": 1,
            "parameters": {"criteria": ["level>=60"]}}, {"id": "objects", "version": 3,
            "parameters": {"threshold": "hand", "connectivity": 4, )"
                                      << objects << "}}]}";
    };
    write(R"("grey": "values", )", R"("values": "300", "condition": "grey_mean > 299")");
    const Outcome run = call(
        {"run", path("r.json"), path("i16.nii"), path("f32.nii"), path("scaled.nii"), "-o", path("out"), "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json report = run.json();
    for (const Json& file : report.at("files")) {
        EXPECT_EQ(file.at("objects").at(0).at("found"), 2);
        EXPECT_EQ(file.at("objects").at(0).at("listed"), 2);
        EXPECT_EQ(file.at("objects").at(0).at("threshold"), 300);
    }
    const std::string table = textOf("out/i16-objects.csv");
    EXPECT_THAT(table, HasSubstr(",300,700,1700,"));
    EXPECT_EQ(textOf("out/f32-objects.csv"), table);
    EXPECT_EQ(textOf("out/scaled-objects.csv"), table);
    write(R"("grey": "values", "grey_unit": "HU", )", R"("values": "300")");
    const Outcome other = call({"run", path("r.json"), path("i16.nii"), "-o", path("out")});
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err + other.out, HasSubstr("the values of the image have no unit"));
}

} // namespace
} // namespace pollard::cli
