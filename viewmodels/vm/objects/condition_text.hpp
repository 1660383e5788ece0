#pragma once

#include "components/objects/object_column.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <QList>
#include <QString>

#include <optional>
#include <span>
#include <string>

namespace pollard::vm {

/// A part of a text.
struct TextSpan {
    qsizetype start = 0;
    qsizetype length = 0;

    bool operator==(const TextSpan&) const = default;
};

/// The features of objects of volumes or of images, see describeVolumes().
[[nodiscard]] std::span<const ObjectFeatureInfo> describedFeatures() noexcept;
/// Of any feature, those of the other kind included.
[[nodiscard]] const ObjectFeatureInfo& describedFeature(ObjectFeature feature) noexcept;
/// Whether it is one of describedFeatures().
[[nodiscard]] bool isDescribed(ObjectFeature feature) noexcept;

/// Name of a feature in the user's language, as in the header of the table: "Area".
[[nodiscard]] QString featureName(ObjectFeature feature);

/// A condition as a person types it. Beside ids, names of features in the user's language are understood, without
/// regard to case and accents, the words for and, or, not, and the decimal mark of the user's locale:
/// "aire > 100 et circularité > 0,8" is stored as "area > 100 and circularity > 0.8".
class TypedCondition {
public:
    explicit TypedCondition(const QString& typed);

    /// The condition that ObjectCondition reads, and that recipes and sessions hold.
    [[nodiscard]] const QString& stored() const noexcept { return stored_; }
    /// Whether the locale's point between digits of a number is taken as a group separator: "1.000" in German is 1000.
    [[nodiscard]] bool hasGroups() const noexcept { return hasGroups_; }
    /// Where the typed text is wrong; the last letter where something is missing at the end.
    [[nodiscard]] TextSpan spanOf(const ConditionError& error) const;
    /// The reason in the user's language.
    /// @param whyNoUnit why this image has no unit, for ConditionFault::pixelSize
    /// @param columns of channels that there are, see ConditionFault::noChannel
    [[nodiscard]] QString reasonOf(const ConditionError& error, const QString& whyNoUnit,
                                   std::span<const std::string> columns = {}) const;

private:
    struct Piece {
        TextSpan typed;
        TextSpan stored;
    };
    void take(qsizetype length, const QString& stored);
    [[nodiscard]] qsizetype typedPlace(qsizetype stored, bool end) const;

    QString typed_;
    QString stored_;
    QList<Piece> pieces_; ///< those that are stored in other words
    bool hasGroups_ = false;
    qsizetype at_ = 0; ///< place in the typed text
};

/// An error in a condition.
struct ConditionProblem {
    QString text; ///< in the user's language; empty: nothing
    TextSpan span;
};

/// The condition on objects of the described kind. @throws Error as ObjectCondition::parse()
[[nodiscard]] ObjectCondition parsedCondition(const QString& stored);

/// The same in px, or in volumes in the unit of the features.
/// @throws Error as ObjectCondition::inPixels() and ObjectCondition::inVolume()
[[nodiscard]] ObjectCondition convertedCondition(const QString& stored, LengthUnit unit,
                                                 const std::optional<PixelSize>& size);

/// @param typed as in TypedCondition
/// @param unit of the features in volumes
/// @param whyNoUnit the reason if units cannot be converted at @p size
/// @param columns of channels that the condition may name
[[nodiscard]] ConditionProblem conditionProblem(const QString& typed, LengthUnit unit,
                                                const std::optional<PixelSize>& size, const QString& whyNoUnit,
                                                std::span<const std::string> columns = {});

/// A stored condition as a person of the present language and locale types it.
[[nodiscard]] QString shownCondition(const QString& stored);

/// A feature or a column of channels that completes a word.
struct FeatureWord {
    ObjectQuantity quantity;
    QString word;    ///< takes the place of the word
    QString example; ///< a condition with it
};

/// Features that complete the word before the cursor.
struct ConditionCompletion {
    TextSpan word; ///< is replaced, the rest of the word behind the cursor included
    QList<FeatureWord> features;
    bool isComplete = false; ///< the word is already the name of a feature
};

/// @param cursor place in @p condition
/// @param all offers all features and columns if there is no word before the cursor
/// @param columns of channels, which are completed by measurement and by channel
[[nodiscard]] ConditionCompletion completionAt(const QString& condition, qsizetype cursor, bool all = false,
                                               std::span<const std::string> columns = {});

} // namespace pollard::vm
