#pragma once

#include "vm/recipe/recipe_view_model.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "open_contours.hpp"
#include "recipe/run_recipe.hpp"
#include "workspace.hpp"

#include <QString>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pollard::testing {

/// Two pages of two discs; on the second page the first disc is @p shift px further right.
inline void writeDiscPages(const QString& path, double shift, std::uint32_t seed = 0) {
    writeTiff(path.toStdString(),
              {2,
               [=](int page, const JobControl&) {
                   return Plane{ownedRows(discs(60, 48, {{20.0 + shift * page, 20, 9}, {44, 30, 6}},
                                                static_cast<std::uint32_t>(page + 1) + seed))};
               }},
              {.arePages = true});
}

inline bool samePixels(const Image& a, const Image& b) {
    return a.type() == b.type() && a.bytes() == b.bytes() && std::equal(a.data(), a.data() + a.bytes(), b.data());
}

/// A workspace with its recipe.
struct RecipeWindow {
    Workspace space;
    vm::FilterModels models{space.document, space.filter, space.region, space.history};
    vm::RecipeViewModel recipe{models};

    [[nodiscard]] std::vector<std::string> ids() const {
        std::vector<std::string> all;
        for (const RecipeStep& step : recipe.recipe().steps) {
            all.emplace_back(idOf(step));
        }
        return all;
    }
    [[nodiscard]] QString textAt(int row) const {
        return recipe.index(row).data(vm::RecipeViewModel::textRole).toString();
    }
    [[nodiscard]] QString titleAt(int row) const { return recipe.index(row).data().toString(); }
    [[nodiscard]] bool switchStep(int row, bool on) {
        return recipe.setData(recipe.index(row), on ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
    }
    /// Result of the recipe, written, read and run on a file.
    [[nodiscard]] RecipeResult runOn(const QString& path) {
        EXPECT_TRUE(space.rests());
        const Recipe again = parseRecipe(toJson(recipe.recipe()));
        EXPECT_EQ(again, recipe.recipe());
        return runRecipe(again, readImage(path.toStdString(), readOptionsOf(again)), space.registry.select("cpu"));
    }
    /// Whether that is the displayed image.
    [[nodiscard]] bool runsToWhatIsShownOf(const QString& path) {
        const RecipeResult result = runOn(path);
        const Image& shown = *space.document.result();
        if (!result.labelled) {
            return samePixels(*result.image, shown);
        }
        const auto labels = result.labelled->labels.span();
        for (std::size_t p = 0; p < shown.pixelCount(); ++p) {
            const std::uint32_t level = labels[p] == 0 ? 0 : 1 + (labels[p] - 1) % maxLevelOf(shown.type());
            if (shown.level(p) != level) {
                return false;
            }
        }
        return true;
    }
};

} // namespace pollard::testing
