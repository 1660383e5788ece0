#include "window/dialogs/preferences_dialog.hpp"

#include "engine/engine_registry.hpp"
#include "shell/models.hpp"
#include "theme/colours.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QPushButton>
#include <QTabWidget>
#include <QThread>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Limits = vm::LimitsViewModel;
using Settings = vm::SettingsViewModel;

constexpr QSize kSwatch(32, 14);

QDoubleSpinBox* makeNumber(const char* objectName, double least, double most, int decimals, const QString& suffix) {
    auto* box = new NumberBox;
    box->setObjectName(QLatin1String(objectName));
    box->setRange(least, most);
    box->setDecimals(decimals);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false);
    return box;
}

QLabel* makeNote(const QString& text) {
    auto* note = new CaptionLabel(text);
    note->setWordWrap(true);
    return note;
}

template <class Box> Box* named(const char* objectName, const QString& name, const QString& toolTip, Box* box) {
    box->setObjectName(QLatin1String(objectName));
    explain(box, name, toolTip);
    return box;
}

QCheckBox* makeCheck(const char* objectName, const QString& text, const QString& toolTip) {
    return named(objectName, text, toolTip, new QCheckBox(text));
}

} // namespace

PreferencesDialog::PreferencesDialog(Models& models, const EngineRegistry& registry, QWidget* parent)
    : QDialog(parent), models_(models) {
    setObjectName(QStringLiteral("preferences"));
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* pages = named("preferencePages", tr("Preferences"), tr("Looks, computing, files"), new QTabWidget);
    pages->addTab(new ScrolledControls(makeLooks()), tr("&Looks"));
    pages->addTab(new ScrolledControls(makeComputing(registry)), tr("&Computing"));
    pages->addTab(new ScrolledControls(makeFiles()), tr("&Files"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults);
    QPushButton* defaults = buttons->button(QDialogButtonBox::RestoreDefaults);
    defaults->setAutoDefault(false); // Return must not reset the settings
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelMargin);
    layout->addWidget(pages);
    layout->addWidget(buttons);
    resizeOnScreen(*this, sizeHint());

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(defaults, &QPushButton::clicked, this, &PreferencesDialog::restoreDefaults);
}

QWidget* PreferencesDialog::makeLooks() {
    auto* language =
        named("language", tr("Language"), tr("Language of the program; applies from the next start on"), new QComboBox);
    language->addItem(tr("As the system"), QString());
    // The name of a language is in that language, so that its speakers can read it in every translation.
    language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    language->addItem(QStringLiteral("Français"), QStringLiteral("fr"));
    auto* theme = named("theme", tr("Theme"), tr("Colours of the window"), new QComboBox);
    for (const auto colours :
         {Settings::Theme::system, Settings::Theme::light, Settings::Theme::dark, Settings::Theme::contrast}) {
        theme->addItem(Settings::themeTitle(colours), static_cast<int>(colours));
    }
    auto* colourMap = named("preferredColourMap", tr("Colour map"),
                            tr("For the open image, and for files that are opened for the first time"), new QComboBox);
    colourMap->setIconSize(kSwatch);
    for (const vm::ColourMap map : vm::kColourMaps) {
        colourMap->addItem(colourMapIcon(map, kSwatch), vm::titleOf(map), static_cast<int>(map));
    }
    auto* reducedMotion = makeCheck("reducedMotion", tr("Reduce motion"),
                                    tr("Nothing blinks by itself, and menus and panels do not slide"));
    auto* sceneUnits = makeCheck("sceneUnits", tr("Measure objects in the unit of the scene"),
                                 tr("Where the file states the size of a pixel; else in px"));
    auto* rulersInPixels =
        makeCheck("rulersCountPixels", tr("Rulers count pixels"), tr("Even where the size of a pixel is known"));

    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->addRow(tr("Language (from the next start on)"), language);
    form->addRow(tr("Theme"), theme);
    form->addRow(tr("Colour map"), colourMap);
    form->addRow(reducedMotion);
    form->addRow(sceneUnits);
    form->addRow(rulersInPixels);

    Settings& settings = models_.settings;
    using Display = vm::DisplayViewModel;
    using Overlays = vm::OverlaysViewModel;
    const auto shownLanguage = [language](const Settings& present) {
        return language->findData(present.language()) < 0 ? QString() : present.language();
    };
    couple(language, settings, shownLanguage, &Settings::setLanguage, &Settings::languageChanged);
    couple(theme, settings, &Settings::theme, &Settings::setTheme, &Settings::themeChanged);
    couple(colourMap, models_.display, &Display::colourMap, &Display::setColourMap, &Display::colourMapChanged);
    couple(reducedMotion, settings, &Settings::hasReducedMotion, &Settings::setReducedMotion,
           &Settings::reducedMotionChanged);
    couple(sceneUnits, settings, &Settings::hasSceneUnits, &Settings::setSceneUnits, &Settings::sceneUnitsChanged);
    couple(rulersInPixels, models_.overlays, &Overlays::areRulersInPixels, &Overlays::setRulersInPixels,
           &Overlays::changed);
    return page;
}

QWidget* PreferencesDialog::makeComputing(const EngineRegistry& registry) {
    auto* choice =
        named("preferredEngine", tr("Engine"), tr("Engine of all computations; applies at once"), new QComboBox);
    choice->addItem(tr("Automatic"), QStringLiteral("auto"));
    for (const Engine* engine : registry.engines()) {
        if (engine->unusableReason().empty()) {
            const QString name = QString::fromStdString(engine->name());
            choice->addItem(QStringLiteral("%1 (%2)").arg(name.toUpper(), QString::fromStdString(engine->device())),
                            name);
        }
    }
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(24);
    auto* threads = named(
        "threads", tr("Processors"),
        tr("Processors for the CPU engine, of %1; applies from the next start on").arg(QThread::idealThreadCount()),
        new WholeBox);
    threads->setRange(0, Settings::kMostThreads);
    threads->setSpecialValueText(tr("all"));
    threads->setKeyboardTracking(false);
    auto* ask = makeCheck("askAboutMemory", tr("Ask before an image that needs more than half of the free memory"),
                          tr("Shows the numbers and the choices: a part, a smaller version, the CPU"));
    auto* memory = makeNumber("memoryGib", 0, Limits::kMostGib, 1, tr(" GiB"));
    memory->setSpecialValueText(tr("free memory"));
    explain(memory, tr("Memory of the program"),
            tr("An image or a job that needs more is refused, opened smaller or filtered in chunks; 0 for the free "
               "memory of the computer"));
    auto* cache =
        named("cacheMib", tr("Memory for earlier pages"),
              tr("Pages of a stack keep their trees up to this size, so that going back takes no time"), new WholeBox);
    cache->setRange(0, models_.limits.mostCacheMib());
    cache->setSingleStep(256);
    cache->setSuffix(tr(" MiB"));
    cache->setSpecialValueText(tr("none"));
    cache->setGroupSeparatorShown(true);
    cache->setKeyboardTracking(false);

    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->addRow(tr("Engine"), choice);
    form->addRow(tr("Processors (from the next start on)"), threads);
    form->addRow(tr("Memory of the program"), memory);
    form->addRow(tr("Memory for earlier pages"), cache);
    form->addRow(ask);

    const auto shownEngine = [choice](const Settings& settings) {
        return choice->findData(settings.engine()) < 0 ? QStringLiteral("auto") : settings.engine();
    };
    const auto setEngine = [this](Settings& settings, const QString& name) {
        settings.setEngine(name);
        models_.document.choices().setEngine(name);
    };
    Limits& limits = models_.limits;
    couple(choice, models_.settings, shownEngine, setEngine, &Settings::engineChanged);
    couple(threads, models_.settings, &Settings::threads, &Settings::setThreads, &Settings::threadsChanged);
    couple(ask, limits, &Limits::isAsking, &Limits::setAsking, &Limits::changed);
    couple(memory, limits, &Limits::memoryGib, &Limits::setMemoryGib, &Limits::changed);
    couple(cache, limits, &Limits::cacheMib, &Limits::setCacheMib, &Limits::changed);
    return page;
}

QWidget* PreferencesDialog::makeFiles() {
    auto* megapixels = makeNumber("maxMegapixels", 1, Limits::kMostMegapixels, 1, tr(" MP"));
    explain(megapixels, tr("Largest page"), tr("Pixels of a page, in millions"));
    auto* decoded = makeNumber("maxDecodedGib", 0, Limits::kMostGib, 2, tr(" GiB"));
    decoded->setSpecialValueText(tr("free memory"));
    explain(decoded, tr("Largest decoded page"),
            tr("Bytes of all samples of a page; 0 for the free memory of the computer"));
    auto* expansion = makeNumber("maxExpansion", Limits::kLeastExpansion, Limits::kMostExpansion, 0, tr(" : 1"));
    explain(expansion, tr("Largest expansion"),
            tr("Decoded bytes per byte of the file, for pages over 256 MiB; beyond it a file is taken for a "
               "decompression bomb"));

    auto* work =
        named("askAboutWork", tr("When leaving changed work"),
              tr("When an image or the window is closed, or another image opened, after changes"), new QComboBox);
    work->addItem(tr("Ask"), true);
    work->addItem(tr("Keep without asking"), false);

    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setSpacing(kPanelMargin);
    auto* leaving = new QFormLayout;
    leaving->addRow(tr("When leaving changed work"), work);
    column->addLayout(leaving);
    column->addWidget(new SectionLabel(tr("Files that claim too much")));
    column->addWidget(makeNote(
        tr("A file beyond these limits is refused before memory is taken. They apply to files opened from now on.")));
    auto* form = new QFormLayout;
    form->addRow(tr("Largest page"), megapixels);
    form->addRow(tr("Largest decoded page"), decoded);
    form->addRow(tr("Largest expansion"), expansion);
    column->addLayout(form);
    column->addStretch(1);

    Limits& limits = models_.limits;
    couple(work, models_.settings, &Settings::isAskingAboutWork, &Settings::setAskingAboutWork,
           &Settings::askingAboutWorkChanged);
    couple(megapixels, limits, &Limits::maxMegapixels, &Limits::setMaxMegapixels, &Limits::changed);
    couple(decoded, limits, &Limits::maxDecodedGib, &Limits::setMaxDecodedGib, &Limits::changed);
    couple(expansion, limits, &Limits::maxExpansion, &Limits::setMaxExpansion, &Limits::changed);
    return page;
}

void PreferencesDialog::restoreDefaults() {
    Settings& settings = models_.settings;
    settings.setLanguage({});
    settings.setTheme(Settings::Theme::system);
    settings.setReducedMotion(false);
    settings.setSceneUnits(true);
    settings.setAskingAboutWork(true);
    settings.setThreads(0);
    settings.setEngine(QStringLiteral("auto"));
    models_.document.choices().setEngine(settings.engine());
    models_.overlays.setRulersInPixels(false);
    models_.limits.restoreDefaults();
}

} // namespace pollard::app
