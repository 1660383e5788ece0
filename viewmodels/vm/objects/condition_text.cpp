#include "vm/objects/condition_text.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/word_search.hpp"
#include "vm/document/image_units.hpp"
#include "vm/objects/object_table_model.hpp"

#include "base/error.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/object_condition.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <utility>

namespace pollard::vm {

bool TableCondition::isTextInForce() const { return TypedCondition(text_).stored() == valid_; }

bool TableCondition::set(const QString& text) {
    text_ = text;
    notice_.clear();
    try {
        const TypedCondition typed(text);
        (void)parsedCondition(typed.stored());
        valid_ = typed.stored();
        resolve();
        if (typed.hasGroups()) {
            notice_ = ObjectTableModel::tr("This is read as %1.").arg(shownCondition(valid_));
        }
        return true;
    } catch (const Error&) {
        problem_ = conditionProblem(text, unit_.unit(), unit_.size(), unit_.whyNone(), columns_).text;
        return false;
    }
}

void TableCondition::refresh() {
    if ((!isTextInForce() && set(text_)) || !isSet()) { // the text may be a condition on the other kind of objects
        return;
    }
    const QString problem = problem_;
    resolve();
    if (!isTextInForce()) {
        problem_ = problem;
    }
}

void TableCondition::resolve() {
    const std::string text = valid_.toStdString();
    const auto size = unit_.size();
    condition_ = {};
    side_ = 1;
    problem_.clear();
    try {
        const ObjectCondition condition = convertedCondition(valid_, unit_.unit(), size);
        condition.requireColumns(columns_);
        if (!unit_.isPhysical() || describesVolumes()) {
            condition_ = condition;
            return;
        }
        try {
            condition_ = ObjectCondition::parse(ObjectCondition::withUnits(text, unit_.unit())).inPixels(size);
        } catch (const Error&) { // values of mixed dimensions, which only make sense in this unit
            condition_ = condition;
            side_ = unit_.side();
        }
    } catch (const Error&) {
        problem_ = conditionProblem(shownCondition(valid_), unit_.unit(), size, unit_.whyNone(), columns_).text;
    }
}

TableCondition::Stated TableCondition::stated() const {
    if (!unit_.isPhysical()) {
        return {valid_};
    }
    const QString text = describesVolumes() ? QString() : withUnits(); // all numbers on volumes have one unit
    return isSet() && text.isEmpty() ? Stated{valid_, unit_.unit()} : Stated{text};
}

QString TableCondition::withUnits() const {
    if (describesVolumes()) {
        return valid_;
    }
    try {
        return QString::fromStdString(ObjectCondition::withUnits(valid_.toStdString(), unit_.unit()));
    } catch (const Error&) {
        return unit_.isPhysical() ? QString() : valid_;
    }
}

void TableCondition::addUnits() {
    if (!isSet()) {
        return;
    }
    const auto noteUnit = [this] {
        notice_ = ObjectTableModel::tr("The numbers of the condition are in %1 since the unit was switched.")
                      .arg(unitText(unit_.wanted(), Dimension::length));
    };
    if (describesVolumes()) {
        noteUnit();
        return;
    }
    try {
        const QString text = QString::fromStdString(ObjectCondition::withUnits(valid_.toStdString(), unit_.unit()));
        if (isTextInForce()) {
            text_ = shownCondition(text);
        }
        valid_ = text;
        notice_.clear();
    } catch (const Error&) {
        noteUnit();
    }
}

namespace {

constexpr int kMostWords = 3; ///< in a name of a feature
constexpr qsizetype kShortestGuess = 2;

struct JoinWord {
    const char* stored;
    const char* source;
};
constexpr std::array kJoinWords{JoinWord{"and", QT_TRANSLATE_NOOP("ConditionText", "and")},
                                JoinWord{"or", QT_TRANSLATE_NOOP("ConditionText", "or")},
                                JoinWord{"not", QT_TRANSLATE_NOOP("ConditionText", "not")}};

QString conditionText(const char* source) { return QCoreApplication::translate("ConditionText", source); }

bool isWordLetter(QChar c) { return c.isLetterOrNumber() || c == u'_' || c.category() == QChar::Mark_NonSpacing; }

/// Length of the word or number at a place.
qsizetype wordLength(const QString& in, qsizetype at) {
    qsizetype end = at;
    while (end < in.size() && isWordLetter(in[end])) {
        ++end;
    }
    return end - at;
}

/// Length of "[GFP]" at a place up to the bracket that closes it, or to the end; 0 without a bracket.
qsizetype bracketLength(const QString& in, qsizetype at) {
    int open = 0;
    for (qsizetype end = at; end < in.size(); ++end) {
        open += in[end] == u'[' ? 1 : in[end] == u']' ? -1 : 0;
        if (open <= 0) {
            return end == at ? 0 : end + 1 - at;
        }
    }
    return in.size() - at;
}

/// Length of a number at a place whose digits a point groups in the present locale, up to its decimal mark: "1.000"; 0
/// without such a number.
qsizetype groupedLength(const QString& in, qsizetype at) {
    static const QRegularExpression grouped(QStringLiteral("(?<![\\w.,])[1-9]\\d{0,2}(?:\\.\\d{3})+(?![\\d.])"));
    if (QLocale().groupSeparator() != QStringLiteral(".")) {
        return 0;
    }
    return grouped.match(in, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption)
        .capturedLength();
}

bool isId(const QString& word) { return findObjectFeature(word.toStdString(), describedFeatures()).has_value(); }

/// The form that a person types: the id in English, the translated name elsewhere.
QString wordOf(ObjectFeature feature) {
    const ObjectFeatureInfo& info = describedFeature(feature);
    const QString name = featureName(feature);
    return name == fromUtf8(info.name) ? fromUtf8(info.id) : QLocale().toLower(name);
}

/// The longest name of a feature, or a word that joins, that the text has at a place: its length and its stored form.
std::pair<qsizetype, QString> nameAt(const QString& in, qsizetype at) {
    std::pair<qsizetype, QString> best{0, {}};
    const auto consider = [&](const QString& name, const QString& stored) {
        const qsizetype end = at + name.size();
        if (name.size() > best.first && end <= in.size() && (end == in.size() || !isWordLetter(in[end])) &&
            foldedText(in.mid(at, name.size())) == foldedText(name)) {
            best = {name.size(), stored};
        }
    };
    for (const ObjectFeatureInfo& info : describedFeatures()) {
        consider(featureName(info.feature), fromUtf8(info.id));
    }
    for (const JoinWord& join : kJoinWords) {
        consider(conditionText(join.source), QLatin1String(join.stored));
    }
    return best;
}

QString exampleOf(ObjectFeature feature) {
    using enum ObjectFeature;
    constexpr std::array<std::pair<ObjectFeature, const char*>, 14> kOwn{{{label, " != 1"},
                                                                          {elongation, " < 2"},
                                                                          {flatness, " < 2"},
                                                                          {sphericity, " > 0.8"},
                                                                          {euler, " == 1"},
                                                                          {orientation, " < 0.5"},
                                                                          {circularity, " > 0.8"},
                                                                          {imagejCircularity, " > 0.8"},
                                                                          {rectangularity, " > 0.9"},
                                                                          {holes, " == 0"},
                                                                          {border, " == 0"},
                                                                          {solidity, " > 0.9"},
                                                                          {feretMaxAngle, " < 0.5"},
                                                                          {feretMinAngle, " < 0.5"}}};
    const ObjectFeatureInfo& info = describedFeature(feature);
    const auto* own = std::ranges::find(kOwn, feature, [](const auto& each) { return each.first; });
    const char* rest = own != kOwn.end()                                                    ? own->second
                       : info.unit == FeatureUnit::grey                                     ? " > 100"
                       : info.unit == FeatureUnit::area || info.unit == FeatureUnit::volume ? " >= 50"
                                                                                            : " > 10";
    return shownCondition(fromUtf8(info.id) + QLatin1String(rest));
}

/// Features whose id, name or a word of the name begins with a text.
QList<FeatureWord> featuresOf(const QString& beginning) {
    const QString wanted = foldedText(beginning);
    QList<FeatureWord> first;
    QList<FeatureWord> later; // a word inside
    for (const ObjectFeatureInfo& info : describedFeatures()) {
        const QString name = foldedText(featureName(info.feature));
        const QString id = fromUtf8(info.id);
        const bool begins = name.startsWith(wanted) || id.startsWith(wanted);
        if (begins || name.contains(u' ' + wanted) || id.contains(u'_' + wanted)) {
            (begins ? first : later).append(FeatureWord{info.feature, wordOf(info.feature), exampleOf(info.feature)});
        }
    }
    return first + later;
}

/// Columns whose name or channel begins with a text.
QList<FeatureWord> columnsOf(const QString& beginning, std::span<const std::string> columns) {
    const QString wanted = foldedText(beginning);
    QList<FeatureWord> found;
    for (const std::string& column : columns) {
        const QString name = QString::fromStdString(column);
        if (const QString folded = foldedText(name);
            folded.startsWith(wanted) || folded.contains(u'[' + wanted) || folded.contains(u'_' + wanted)) {
            found.append(FeatureWord{ObjectQuantity(column), name, name + QStringLiteral(" > 100")});
        }
    }
    return found;
}

/// The channels of columns: "DAPI, GFP".
QString channelsOf(std::span<const std::string> columns) {
    QStringList channels;
    for (const std::string& column : columns) {
        const QString channel = fromUtf8(partsOfColumn(column).channels);
        if (!channel.isEmpty() && !channels.contains(channel)) {
            channels << channel;
        }
    }
    return channels.join(QStringLiteral(", "));
}

} // namespace

std::span<const ObjectFeatureInfo> describedFeatures() noexcept {
    return objectFeatures(describesVolumes() ? Connectivity::six : Connectivity::four);
}

const ObjectFeatureInfo& describedFeature(ObjectFeature feature) noexcept {
    return objectFeatureInfo(feature, describesVolumes());
}

bool isDescribed(ObjectFeature feature) noexcept {
    return std::ranges::find(describedFeatures(), feature, &ObjectFeatureInfo::feature) != describedFeatures().end();
}

QString featureName(ObjectFeature feature) {
    return QCoreApplication::translate("pollard::vm::ObjectTableModel", describedFeature(feature).name.data());
}

TypedCondition::TypedCondition(const QString& typed) : typed_(typed) {
    const QString mark = QLocale().decimalPoint();
    while (at_ < typed.size()) {
        const QChar c = typed[at_];
        const bool number = at_ + 1 < typed.size() && typed[at_ + 1].isDigit();
        if (number && mark.size() == 1 && mark != u'.' && c == mark.front()) {
            take(1, QStringLiteral("."));
            continue;
        }
        if (const qsizetype channel = bracketLength(typed, at_); channel > 0) {
            take(channel, typed.mid(at_, channel));
            continue;
        }
        if (const qsizetype grouped = groupedLength(typed, at_); grouped > 0) {
            hasGroups_ = true;
            take(grouped, typed.mid(at_, grouped).remove(u'.'));
            continue;
        }
        const qsizetype length = wordLength(typed, at_);
        if (length == 0 || c.isDigit()) { // a unit or an exponent may follow digits
            take(std::max<qsizetype>(length, 1), typed.mid(at_, std::max<qsizetype>(length, 1)));
            continue;
        }
        const auto [named, stored] = nameAt(typed, at_);
        const bool measures = at_ + length < typed.size() && typed[at_ + length] == u'[';
        const bool known = !measures && (named > length || (named > 0 && !isId(typed.mid(at_, length))));
        take(known ? named : length, known ? stored : typed.mid(at_, length));
    }
}

void TypedCondition::take(qsizetype length, const QString& stored) {
    if (typed_.mid(at_, length) != stored) {
        pieces_.append(Piece{{at_, length}, {stored_.size(), stored.size()}});
    }
    stored_ += stored;
    at_ += length;
}

qsizetype TypedCondition::typedPlace(qsizetype stored, bool end) const {
    qsizetype shift = 0;
    for (const Piece& piece : pieces_) {
        if (stored < piece.stored.start + (end ? 1 : 0)) {
            break;
        }
        if (stored < piece.stored.start + piece.stored.length) { // inside
            return end ? piece.typed.start + piece.typed.length : piece.typed.start;
        }
        shift = piece.typed.start + piece.typed.length - piece.stored.start - piece.stored.length;
    }
    return stored + shift;
}

TextSpan TypedCondition::spanOf(const ConditionError& error) const {
    const QByteArray bytes = stored_.toUtf8();
    const auto placeOf = [&bytes](std::size_t column) {
        return QString::fromUtf8(bytes.left(static_cast<qsizetype>(column))).size();
    };
    if (error.length() == 0) {
        qsizetype end = typed_.size();
        while (end > 0 && typed_[end - 1].isSpace()) {
            --end;
        }
        return {std::max<qsizetype>(end - 1, 0), std::min<qsizetype>(end, 1)};
    }
    const qsizetype start = typedPlace(placeOf(error.column()), false);
    return {start, typedPlace(placeOf(error.column() + error.length()), true) - start};
}

QString TypedCondition::reasonOf(const ConditionError& error, const QString& whyNoUnit,
                                 std::span<const std::string> columns) const {
    const bool end = error.length() == 0;
    const TextSpan span = spanOf(error);
    const QString word = typed_.mid(span.start, span.length);
    switch (error.fault()) {
    case ConditionFault::number:
        return conditionText("“%1” is no number.").arg(word);
    case ConditionFault::noOperand:
        return end ? conditionText("A feature, a number or ( is missing at the end.")
                   : conditionText("A feature, a number or ( is expected in place of “%1”.").arg(word);
    case ConditionFault::noClosing:
        return end ? conditionText("A ) is missing at the end.")
                   : conditionText("A ) is expected in place of “%1”.").arg(word);
    case ConditionFault::noComparison:
        return conditionText("A comparison is expected in place of “%1”, such as %2.")
            .arg(word, shownCondition(QStringLiteral("area >= 50")));
    case ConditionFault::noJoin:
        return conditionText("&& or || is expected in place of “%1”.").arg(word);
    case ConditionFault::noFeature:
        for (qsizetype length = word.size() - 1; length >= kShortestGuess; --length) {
            if (const auto near = featuresOf(word.left(length)); !near.isEmpty()) {
                return conditionText("There is no feature “%1”. Is “%2” meant?").arg(word, near.front().word);
            }
        }
        return conditionText("There is no feature “%1”. The arrow down lists all features.").arg(word);
    case ConditionFault::noMeasure:
        return conditionText("“%1” is no measurement of a channel. Measurements are %2.")
            .arg(word.left(word.indexOf(u'[')), QStringLiteral("mean, sum, min, max, stddev, median"));
    case ConditionFault::noChannel:
        return !word.endsWith(u']')
                   ? conditionText("A ] is missing behind the name of the channel.")
                   : conditionText("“%1” names no measured channel. Measured are %2.").arg(word, channelsOf(columns));
    case ConditionFault::notMeasured:
        if (!word.endsWith(u']')) {
            return conditionText("This table has no column “%1”.").arg(word);
        }
        return describesVolumes() ? conditionText("Channels are measured in images, not in volumes.")
               : channelsOf(columns).isEmpty()
                   ? conditionText("“%1” is not measured. Choose its channel, pairs or the ring in Measure "
                                   "in, if there are several channels.")
                         .arg(word)
                   : conditionText("“%1” is not measured. The table has the measurements.").arg(word);
    case ConditionFault::valueNotCondition:
        return conditionText("“%1” is a value: compare it, as in %2.")
            .arg(word, shownCondition(QStringLiteral("area >= 50")));
    case ConditionFault::conditionNotValue:
        return conditionText("A comparison stands where a value is expected: join comparisons by && or ||.");
    case ConditionFault::nesting:
        return conditionText("The parentheses are nested too deeply.");
    case ConditionFault::dimension:
        return conditionText("The unit of “%1” does not fit what it is compared with or added to.").arg(word);
    case ConditionFault::pixelSize:
        return describesVolumes() && whyNoUnit.isEmpty()
                   ? conditionText("Lengths and areas with a unit need a table in a unit of length, not in px.")
                   : conditionText("“%1” cannot be converted to pixels. %2").arg(word, whyNoUnit);
    }
    return {};
}

ObjectCondition parsedCondition(const QString& stored) {
    return ObjectCondition::parse(stored.toStdString(), describedFeatures());
}

ObjectCondition convertedCondition(const QString& stored, LengthUnit unit, const std::optional<PixelSize>& size) {
    const ObjectCondition condition = parsedCondition(stored);
    return describesVolumes() ? condition.inVolume(unit, size) : condition.inPixels(size);
}

ConditionProblem conditionProblem(const QString& typed, LengthUnit unit, const std::optional<PixelSize>& size,
                                  const QString& whyNoUnit, std::span<const std::string> columns) {
    const TypedCondition condition(typed);
    try {
        convertedCondition(condition.stored(), unit, size).requireColumns(columns);
    } catch (const ConditionError& error) {
        return {condition.reasonOf(error, whyNoUnit, columns), condition.spanOf(error)};
    }
    return {};
}

QString shownCondition(const QString& stored) {
    const QString mark = QLocale().decimalPoint();
    QString shown;
    for (qsizetype at = 0; at < stored.size();) {
        const QChar c = stored[at];
        const qsizetype length = std::max({wordLength(stored, at), bracketLength(stored, at), qsizetype{1}});
        const QString word = stored.mid(at, length);
        if (c == u'.' && at + 1 < stored.size() && stored[at + 1].isDigit()) {
            shown += mark;
        } else if (const auto feature = findObjectFeature(word.toStdString(), describedFeatures())) {
            shown += wordOf(*feature);
        } else {
            shown += word;
        }
        at += length;
    }
    return shown;
}

ConditionCompletion completionAt(const QString& condition, qsizetype cursor, bool all,
                                 std::span<const std::string> columns) {
    qsizetype after = wordLength(condition, cursor);
    ConditionCompletion found;
    if (const qsizetype open = condition.left(cursor).lastIndexOf(u'[');
        open >= 0 && condition.left(cursor).lastIndexOf(u']') < open) { // within the name of a channel
        qsizetype begin = open;
        while (begin > 0 && (isWordLetter(condition[begin - 1]) || condition[begin - 1] == u'.')) {
            --begin;
        }
        const qsizetype close = condition.indexOf(u']', cursor);
        after = close < 0 ? after : close + 1 - cursor;
        const QString typed = condition.mid(begin, cursor - begin);
        return {{begin, cursor + after - begin}, columnsOf(typed, columns), false};
    }
    qsizetype start = cursor;
    qsizetype before = cursor;
    while (before > 0 && isWordLetter(condition[before - 1])) {
        --before;
    }
    while (before > 0 && condition[before - 1] == u' ') {
        --before;
    }
    if (before > 0 && condition[before - 1].isDigit()) {
        return found; // a unit of the number, or a word that joins
    }
    for (int words = 0; words < kMostWords; ++words) {
        qsizetype from = start;
        while (words > 0 && from > 0 && condition[from - 1] == u' ') {
            --from;
        }
        qsizetype begin = from;
        while (begin > 0 && isWordLetter(condition[begin - 1])) {
            --begin;
        }
        if (begin == from || condition[begin].isDigit()) {
            break;
        }
        start = begin;
        const QString typed = condition.mid(start, cursor - start);
        QList<FeatureWord> features = featuresOf(typed);
        if (words == 0) {
            features += columnsOf(typed, columns);
        }
        if (words > 0 && !features.isEmpty() &&
            !foldedText(featureName(features.front().quantity.feature)).startsWith(foldedText(typed))) {
            features.clear();
        }
        if (!features.isEmpty()) {
            const QString whole = condition.mid(start, cursor + after - start);
            found = {{start, cursor + after - start}, features, isId(whole) || nameAt(whole, 0).first == whole.size()};
        }
    }
    if (found.features.isEmpty() && all && start == cursor && after == 0) {
        found = {{cursor, 0}, featuresOf({}) + columnsOf({}, columns), false};
    }
    return found;
}

} // namespace pollard::vm
