// The published schemas have the fields, limits and defaults of the records.
#include "support/record_schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using testing::RecordSchema;
using Json = RecordSchema::Json;

Json parametersOf(const std::string& step) {
    return RecordSchema::committed("recipe", "/$defs/" + step + "/properties/parameters");
}

/// Without the rules of parseSession() for versions, labels and numbers of grey.
Json sessionSchema() {
    Json schema = RecordSchema::committed("session", "");
    schema.erase("oneOf");
    schema["properties"].erase("pollard_session");
    schema["properties"].erase("grey");
    Json& required = schema["required"];
    required.erase(std::find(required.begin(), required.end(), "pollard_session"));
    schema["/properties/earlier/items/properties/filter/properties/output/enum"_json_pointer].push_back("labels");
    return schema;
}

TEST(RecipeSchema, HasTheFieldsOfTheRecords) {
    Json recipe = RecordSchema::committed("recipe", "");
    recipe.erase("oneOf");
    recipe["properties"].erase("pollard_recipe");
    recipe["properties"].erase("grey");
    recipe["properties"].erase("grey_unit");
    recipe["properties"].erase("steps");
    recipe["required"] = {"name"};
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kRecipe), recipe), "");
    for (int version = 1; version <= json::kAxesRead; ++version) {
        EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kRead.known(version)),
                                           parametersOf("read" + std::to_string(version))),
                  "")
            << version;
    }
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kRegion), parametersOf("region")), "");
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kTree), parametersOf("tree2")), "");
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kFilter), parametersOf("filter")), "");
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kObjects), parametersOf("objects")), "");
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kContour), parametersOf("contour")), "");
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::kOperator), parametersOf("operator")), "");
}

TEST(SessionSchema, HasTheFieldsOfTheRecords) {
    EXPECT_EQ(RecordSchema::difference(RecordSchema::of(json::sessionRecord(json::kVersion)), sessionSchema()), "");
}

TEST(SessionSchema, DiffersByAnyFieldAndLimit) {
    const Json expected = RecordSchema::of(json::sessionRecord(json::kVersion));
    const std::string run = "/properties/contours/properties/runs/items";
    const std::vector<std::pair<std::string, Json>> changes{
        {"/properties/view/properties/glow", {{"type", "boolean"}}},
        {"/properties/view/properties/split/type", "integer"},
        {"/properties/view/properties/split/maximum", 1},
        {"/properties/image/properties/relative/maxLength", 4095},
        {"/properties/filter/properties/rule/enum/0", "indirect"},
        {"/properties/filter/properties/criteria/minItems", 0},
        {"/properties/objects/properties/fill_holes/type", "number"},
        {"/properties/objects/properties/removed/items/minimum", -1},
        {"/properties/objects/required/0", "fill_holes"},
        {"/properties/earlier/maxItems", 99},
        {"/additionalProperties", true},
        {run + "/properties/id/maximum", 7},
        {run + "/properties/forbidden/oneOf/1/type", "string"},
        {run + "/properties/starts/items/maxItems", 8},
    };
    for (const auto& [pointer, value] : changes) {
        Json schema = sessionSchema();
        schema[Json::json_pointer(pointer)] = value;
        EXPECT_NE(RecordSchema::difference(expected, schema), "") << pointer;
    }
    Json schema = sessionSchema();
    schema["properties"]["view"]["properties"].erase("gamma");
    EXPECT_EQ(RecordSchema::difference(expected, schema), "$.view.gamma: is missing");
}

} // namespace
} // namespace pollard
