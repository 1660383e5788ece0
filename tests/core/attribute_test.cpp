#include "attributes/attribute.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

namespace pollard {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;

template <class Mark> std::vector<std::string_view> namesWhere(Mark AttributeInfo::*mark, Mark value) {
    std::vector<std::string_view> names;
    for (const AttributeInfo& info : allAttributes()) {
        if (info.*mark == value) {
            names.push_back(info.name);
        }
    }
    return names;
}

TEST(Attribute, ListsStableNamesInOrderOfIds) {
    std::vector<std::string_view> names;
    for (const AttributeInfo& info : allAttributes()) {
        names.push_back(info.name);
        EXPECT_EQ(&attributeInfo(info.id), &info);
    }
    EXPECT_THAT(names,
                ElementsAre("area", "width", "height_px", "bbox_area", "bbox_diagonal", "border", "level", "contrast",
                            "height", "dynamics", "volume", "sum", "mean", "variance", "entropy", "centroid_x",
                            "centroid_y", "inertia", "major", "minor", "elongation", "orientation", "eccentricity",
                            "hu1", "hu2", "hu3", "hu4", "hu5", "hu6", "hu7", "perimeter", "circularity",
                            "rectangularity", "euler", "holes", "depth", "children", "descendants", "leaves",
                            "stability", "extinction_area", "extinction_volume", "border_contrast", "outer_mean"));
}

TEST(Attribute, FindsByExactNameOnly) {
    for (const AttributeInfo& info : allAttributes()) {
        EXPECT_EQ(findAttribute(info.name), info.id);
    }
    for (const std::string_view wrong : {"", "Area", "area ", "are", "areas", "bboxArea"}) {
        EXPECT_EQ(findAttribute(wrong), std::nullopt) << wrong;
    }
}

TEST(Attribute, MarksIncreasingIntegralAndWideOnes) {
    EXPECT_THAT(namesWhere(&AttributeInfo::increasing, true),
                ElementsAre("area", "width", "height_px", "bbox_area", "bbox_diagonal", "border", "height", "dynamics",
                            "volume", "descendants", "leaves", "extinction_area", "extinction_volume"));
    EXPECT_THAT(namesWhere(&AttributeInfo::integral, true),
                ElementsAre("area", "width", "height_px", "bbox_area", "border", "level", "contrast", "height",
                            "dynamics", "volume", "sum", "perimeter", "euler", "holes", "depth", "children",
                            "descendants", "leaves", "extinction_area", "extinction_volume"));
    EXPECT_THAT(namesWhere(&AttributeInfo::spread, Spread::decades),
                ElementsAre("contrast", "sum", "variance", "inertia", "major", "minor", "elongation", "perimeter",
                            "holes", "children", "stability", "border_contrast"));
}

TEST(Attribute, DescribesItselfForMenusAndTooltips) {
    std::set<std::string_view> titles;
    for (const AttributeInfo& info : allAttributes()) {
        EXPECT_FALSE(info.formula.empty()) << info.name;
        EXPECT_EQ(info.formula.find('\n'), std::string_view::npos) << info.name;
        EXPECT_FALSE(info.source.empty()) << info.name;
        EXPECT_THAT(info.group, AnyOf("Size", "Grey levels", "Shape", "Topology", "Tree", "Prominence")) << info.name;
        EXPECT_TRUE(titles.insert(info.title).second) << "title twice: " << info.title;
    }
    EXPECT_EQ(attributeInfo(AttributeId::volume).unit, "grey*px");
    EXPECT_EQ(attributeInfo(AttributeId::area).unit, "px");
}

} // namespace
} // namespace pollard
