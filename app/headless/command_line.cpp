#include "headless/command_line.hpp"

#include "base/error.hpp"
#include "components/objects/object_condition.hpp"
#include "recipe/presets.hpp"
#include "window/panels.hpp"
#include "window/workspaces.hpp"

#include <QCommandLineParser>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace pollard::app {
namespace {

using Theme = vm::SettingsViewModel::Theme;

constexpr int kSmallestSide = 320;
constexpr int kLargestSide = 8192;

QStringList ruleNames() {
    QStringList names;
    for (const Rule rule : kAllRules) {
        names << QLatin1String(ruleInfo(rule).name);
    }
    return names;
}

struct Options {
    QCommandLineOption screenshot{QStringLiteral("screenshot"),
                                  QStringLiteral("Save an image of the window as PNG and quit."),
                                  QStringLiteral("OUT.png")};
    QCommandLineOption size{QStringLiteral("size"), QStringLiteral("Size of the window, e.g. 1600x1000."),
                            QStringLiteral("WxH")};
    QCommandLineOption keep{QStringLiteral("keep"),
                            QStringLiteral("Keep components that meet this, e.g. 'area>=100'. "
                                           "Several: they have to meet all of them."),
                            QStringLiteral("CRITERION")};
    QCommandLineOption match{QStringLiteral("match"), QStringLiteral("all (the default) or any of the criteria."),
                             QStringLiteral("MATCH")};
    QCommandLineOption rule{QStringLiteral("rule"),
                            ruleNames()
                                .join(QStringLiteral(", "))
                                .replace(QRegularExpression(QStringLiteral(", (\\w+)$")), QStringLiteral(" or \\1.")),
                            QStringLiteral("RULE")};
    QCommandLineOption output{QStringLiteral("output"), QStringLiteral("filtered, residue, mask or labels."),
                              QStringLiteral("OUTPUT")};
    QCommandLineOption preset{QStringLiteral("preset"),
                              QStringLiteral("Apply a preset, as pollard-cli run --list-presets names it; without an "
                                             "image, to its sample."),
                              QStringLiteral("NAME")};
    QCommandLineOption panel{
        QStringLiteral("panel"),
        QStringLiteral("Show this panel: %1; may be given several times.").arg(panelNames().join(QStringLiteral(", "))),
        QStringLiteral("PANEL")};
    QCommandLineOption workspace{QStringLiteral("workspace"),
                                 QStringLiteral("Show this workspace: %1. Without it, that of the first --panel.")
                                     .arg(Workspaces::names().join(QStringLiteral(", "))),
                                 QStringLiteral("WORKSPACE")};
    QCommandLineOption contour{
        QStringLiteral("contour"),
        QStringLiteral("Start a contour at this rectangle, in px, and let it evolve; shows its panel."),
        QStringLiteral("X,Y,W,H")};
    QCommandLineOption where{QStringLiteral("where"),
                             QStringLiteral("Of the objects list only those that meet this, e.g. 'area >= 50'; shows "
                                            "their panel."),
                             QStringLiteral("CONDITION")};
    QCommandLineOption theme{QStringLiteral("theme"), QStringLiteral("system, light, dark or contrast."),
                             QStringLiteral("THEME")};
    QCommandLineOption language{QStringLiteral("language"), QStringLiteral("Language of the window: en or fr."),
                                QStringLiteral("CODE")};
    QCommandLineOption split{QStringLiteral("split"), QStringLiteral("Show before and after side by side.")};
    QCommandLineOption composite{QStringLiteral("composite"),
                                 QStringLiteral("Show all channels in their colours, added; the default.")};
    QCommandLineOption oneChannel{QStringLiteral("one-channel"),
                                  QStringLiteral("Show only the channel that the filter works on.")};
    QCommandLineOption engine{QStringLiteral("engine"), QStringLiteral("auto, cpu or cuda."), QStringLiteral("ENGINE")};
    QCommandLineOption transfer{QStringLiteral("transfer"),
                                QStringLiteral("How the filtered image gets to the screen: interop (the GPU writes "
                                               "the window's texture), copy (over main memory) or auto (interop where "
                                               "it works, else copy; the default). The status line says which it is."),
                                QStringLiteral("HOW")};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Print the version.")};
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Print this help.")};

    void addTo(QCommandLineParser& parser) const {
        parser.addOptions({screenshot, size,       keep,    match,    rule,    output,   preset,
                           panel,      workspace,  contour, where,    theme,   language, split,
                           composite,  oneChannel, engine,  transfer, version, help});
        parser.addPositionalArgument(QStringLiteral("IMAGE"), QStringLiteral("Image to open."),
                                     QStringLiteral("[IMAGE]"));
    }
};

/// The member of @p all whose nameOf() is @p name.
template <class T, std::size_t N> std::optional<T> byName(const std::array<T, N>& all, const QString& name) {
    for (const T value : all) {
        const std::string_view known = nameOf(value);
        if (name == QLatin1String(known.data(), static_cast<qsizetype>(known.size()))) {
            return value;
        }
    }
    return std::nullopt;
}

QString readSize(const QString& text, CommandLine& line) {
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const auto match = pattern.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (!match.hasMatch() || std::min(size.width(), size.height()) < kSmallestSide ||
        std::max(size.width(), size.height()) > kLargestSide) {
        return QStringLiteral("--size: '%1' is not WIDTHxHEIGHT with sides from %2 to %3")
            .arg(text)
            .arg(kSmallestSide)
            .arg(kLargestSide);
    }
    line.size = size;
    return {};
}

QString readTheme(const QString& text, CommandLine& line) {
    if (text == QLatin1String("system")) {
        line.theme = Theme::system;
    } else if (text == QLatin1String("light")) {
        line.theme = Theme::light;
    } else if (text == QLatin1String("dark")) {
        line.theme = Theme::dark;
    } else if (text == QLatin1String("contrast")) {
        line.theme = Theme::contrast;
    } else {
        return QStringLiteral("--theme: '%1' is not one of system, light, dark, contrast").arg(text);
    }
    return {};
}

QString readLanguage(const QString& code, CommandLine& line) {
    if (code != QLatin1String("en") && code != QLatin1String("fr")) {
        return QStringLiteral("--language: '%1' is not one of en, fr").arg(code);
    }
    line.language = code;
    return {};
}

QString readTransfer(const QString& text, CommandLine& line) {
    if (text == QLatin1String("auto")) {
        line.transfer = vm::DisplayMode::automatic;
    } else if (text == QLatin1String("interop")) {
        line.transfer = vm::DisplayMode::interop;
    } else if (text == QLatin1String("copy")) {
        line.transfer = vm::DisplayMode::copy;
    } else {
        return QStringLiteral("--transfer: '%1' is not one of auto, interop, copy").arg(text);
    }
    return {};
}

QString readPanels(const QStringList& panels, CommandLine& line) {
    for (const QString& panel : panels) {
        if (!panelNames().contains(panel)) {
            return QStringLiteral("--panel: '%1' is not one of %2").arg(panel, panelNames().join(QStringLiteral(", ")));
        }
    }
    line.panels = panels;
    return {};
}

QString readContour(const QString& text, CommandLine& line) {
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,7}),(\\d{1,7}),(\\d{1,7}),(\\d{1,7})$"));
    const auto match = pattern.match(text);
    const QRect start(match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt(),
                      match.captured(4).toInt());
    if (!match.hasMatch() || start.isEmpty()) {
        return QStringLiteral("--contour: '%1' is not X,Y,WIDTH,HEIGHT in px").arg(text);
    }
    line.contour = start;
    line.panels << QStringLiteral("contour");
    return {};
}

QString readCondition(const QString& text, CommandLine& line) {
    try {
        static_cast<void>(ObjectCondition::parse(text.toStdString()));
    } catch (const Error& error) {
        return QStringLiteral("--where: %1").arg(QString::fromUtf8(error.what()));
    }
    line.where = text;
    line.panels << QStringLiteral("objects");
    return {};
}

QString readPreset(const QString& name, CommandLine& line) {
    if (findPreset(name.toStdString()) != nullptr) {
        line.preset = name;
        return {};
    }
    QStringList names;
    for (const Preset& preset : allPresets()) {
        names << QString::fromStdString(preset.name);
    }
    return QStringLiteral("--preset: '%1' is not one of %2").arg(name, names.join(QStringLiteral(", ")));
}

QString readFilter(const QCommandLineParser& parser, const Options& options, CommandLine& line) {
    for (const QString& text : parser.values(options.keep)) {
        try {
            line.keep.push_back(parseCriterion(text.toStdString()));
        } catch (const Error& error) {
            return QStringLiteral("--keep: %1").arg(QString::fromUtf8(error.what()));
        }
    }
    if (parser.isSet(options.match)) {
        line.match = byName(kAllMatches, parser.value(options.match));
        if (!line.match) {
            return QStringLiteral("--match: '%1' is not one of all, any").arg(parser.value(options.match));
        }
    }
    if (parser.isSet(options.rule)) {
        line.rule = byName(kAllRules, parser.value(options.rule));
        if (!line.rule) {
            return QStringLiteral("--rule: '%1' is not one of %2")
                .arg(parser.value(options.rule), ruleNames().join(QStringLiteral(", ")));
        }
    }
    if (parser.isSet(options.output)) {
        line.output = byName(kAllOutputs, parser.value(options.output));
        if (!line.output) {
            return QStringLiteral("--output: '%1' is not one of filtered, residue, mask, labels")
                .arg(parser.value(options.output));
        }
    }
    return {};
}

} // namespace

CommandLine parseCommandLine(const QStringList& arguments, const QList<QCommandLineOption>& own) {
    CommandLine line;
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Pollard - filters images by pruning their component tree while you drag a threshold."));
    const Options options;
    options.addTo(parser);
    parser.addOptions(own);
    if (!parser.parse(arguments)) {
        line.error = parser.errorText();
        return line;
    }
    line.version = parser.isSet(options.version);
    if (parser.isSet(options.help)) {
        line.help = parser.helpText();
    }
    if (line.version || !line.help.isEmpty()) {
        return line;
    }
    for (const QCommandLineOption& option : own) {
        if (parser.isSet(option)) {
            line.own[option.names().constFirst()] = parser.value(option);
        }
    }
    const QStringList images = parser.positionalArguments();
    line.image = images.value(0);
    line.split = parser.isSet(options.split);
    if (parser.isSet(options.composite) || parser.isSet(options.oneChannel)) {
        line.composite = !parser.isSet(options.oneChannel);
    }
    line.engine = parser.value(options.engine);
    line.screenshot = parser.value(options.screenshot);
    if (images.size() > 1) {
        line.error = QStringLiteral("one image at a time, not %1").arg(images.size());
    } else if (parser.isSet(options.screenshot) &&
               (line.screenshot.isEmpty() || (line.image.isEmpty() && !parser.isSet(options.preset)))) {
        line.error = QStringLiteral("--screenshot needs a file to write and an image to open");
    }
    if (line.error.isEmpty() && parser.isSet(options.preset)) {
        line.error = readPreset(parser.value(options.preset), line);
    }
    if (line.error.isEmpty()) {
        line.error = readPanels(parser.values(options.panel), line);
    }
    line.workspace = parser.value(options.workspace);
    if (line.error.isEmpty() && !line.workspace.isEmpty() && !Workspaces::names().contains(line.workspace)) {
        line.error = QStringLiteral("--workspace: '%1' is not one of %2")
                         .arg(line.workspace, Workspaces::names().join(QStringLiteral(", ")));
    }
    if (line.error.isEmpty() && parser.isSet(options.contour)) {
        line.error = readContour(parser.value(options.contour), line);
    }
    if (line.error.isEmpty() && parser.isSet(options.where)) {
        line.error = readCondition(parser.value(options.where), line);
    }
    if (line.error.isEmpty() && parser.isSet(options.size)) {
        line.error = readSize(parser.value(options.size), line);
    }
    if (line.error.isEmpty() && parser.isSet(options.transfer)) {
        line.error = readTransfer(parser.value(options.transfer), line);
    }
    if (line.error.isEmpty() && parser.isSet(options.language)) {
        line.error = readLanguage(parser.value(options.language), line);
    }
    if (line.error.isEmpty() && parser.isSet(options.theme)) {
        line.error = readTheme(parser.value(options.theme), line);
    }
    if (line.error.isEmpty()) {
        line.error = readFilter(parser, options, line);
    }
    return line;
}

} // namespace pollard::app
