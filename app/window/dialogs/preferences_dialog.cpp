#include "window/dialogs/preferences_dialog.hpp"

#include "engine/engine_registry.hpp"
#include "shell/models.hpp"
#include "theme/colour_stops.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabWidget>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

using Limits = vm::LimitsViewModel;
using Settings = vm::SettingsViewModel;

constexpr QSize kSwatch(32, 14);

QDoubleSpinBox* makeNumber(const char* objectName, double least, double most, int decimals, const QString& suffix) {
    auto* box = new QDoubleSpinBox;
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

void choose(QComboBox& box, const QVariant& data) { box.setCurrentIndex(std::max(0, box.findData(data))); }

} // namespace

PreferencesDialog::PreferencesDialog(Models& models, const EngineRegistry& registry, QWidget* parent)
    : QDialog(parent), models_(models) {
    setObjectName(QStringLiteral("preferences"));
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* pages = named("preferencePages", tr("Preferences"), tr("Looks, computing, files"), new QTabWidget);
    pages->addTab(makeLooks(), tr("&Looks"));
    pages->addTab(makeComputing(registry), tr("&Computing"));
    pages->addTab(makeFiles(), tr("&Files"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults);
    QPushButton* defaults = buttons->button(QDialogButtonBox::RestoreDefaults);
    defaults->setAutoDefault(false); // Return must not reset the settings
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelMargin);
    layout->addWidget(pages);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(defaults, &QPushButton::clicked, this, &PreferencesDialog::restoreDefaults);
    Settings& settings = models_.settings;
    for (const auto signal :
         {&Settings::themeChanged, &Settings::engineChanged, &Settings::threadsChanged, &Settings::languageChanged,
          &Settings::reducedMotionChanged, &Settings::sceneUnitsChanged, &Settings::askingAboutWorkChanged}) {
        connect(&settings, signal, this, &PreferencesDialog::showSettings);
    }
    connect(&models_.overlays, &vm::OverlaysViewModel::changed, this, &PreferencesDialog::showSettings);
    connect(&models_.display, &vm::DisplayViewModel::colourMapChanged, this, &PreferencesDialog::showSettings);
    connect(&models_.limits, &Limits::changed, this, &PreferencesDialog::showLimits);
    showSettings();
    showLimits();
}

QWidget* PreferencesDialog::makeLooks() {
    language_ =
        named("language", tr("Language"), tr("Language of the program; applies from the next start on"), new QComboBox);
    language_->addItem(tr("As the system"), QString());
    // Each language in its own language, so that it is readable in a foreign one.
    language_->addItem(QStringLiteral("English"), QStringLiteral("en"));
    language_->addItem(QStringLiteral("Français"), QStringLiteral("fr"));
    theme_ = named("theme", tr("Theme"), tr("Colours of the window"), new QComboBox);
    for (const auto theme :
         {Settings::Theme::system, Settings::Theme::light, Settings::Theme::dark, Settings::Theme::contrast}) {
        theme_->addItem(Settings::themeTitle(theme), static_cast<int>(theme));
    }
    colourMap_ = named("preferredColourMap", tr("Colour map"),
                       tr("For the open picture, and for files that are opened for the first time"), new QComboBox);
    colourMap_->setIconSize(kSwatch);
    for (const vm::ColourMap map : vm::kColourMaps) {
        colourMap_->addItem(colourMapIcon(map, kSwatch), vm::titleOf(map), static_cast<int>(map));
    }
    reducedMotion_ = makeCheck("reducedMotion", tr("Reduce motion"),
                               tr("Nothing blinks by itself, and menus and panels do not slide"));
    sceneUnits_ = makeCheck("sceneUnits", tr("Measure objects in the unit of the scene"),
                            tr("Where the file states the size of a pixel; else in px"));
    rulersInPixels_ =
        makeCheck("rulersCountPixels", tr("Rulers count pixels"), tr("Even where the size of a pixel is known"));

    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->addRow(tr("Language (from the next start on)"), language_);
    form->addRow(tr("Theme"), theme_);
    form->addRow(tr("Colour map"), colourMap_);
    form->addRow(reducedMotion_);
    form->addRow(sceneUnits_);
    form->addRow(rulersInPixels_);

    Settings& settings = models_.settings;
    connect(language_, &QComboBox::activated, this,
            [this] { models_.settings.setLanguage(language_->currentData().toString()); });
    connect(theme_, &QComboBox::activated, this,
            [this] { models_.settings.setTheme(static_cast<Settings::Theme>(theme_->currentData().toInt())); });
    connect(colourMap_, &QComboBox::activated, this,
            [this] { models_.display.setColourMap(static_cast<vm::ColourMap>(colourMap_->currentData().toInt())); });
    connect(reducedMotion_, &QCheckBox::toggled, &settings, &Settings::setReducedMotion);
    connect(sceneUnits_, &QCheckBox::toggled, &settings, &Settings::setSceneUnits);
    connect(rulersInPixels_, &QCheckBox::toggled, &models_.overlays, &vm::OverlaysViewModel::setRulersInPixels);
    return page;
}

QWidget* PreferencesDialog::makeComputing(const EngineRegistry& registry) {
    engine_ = named("preferredEngine", tr("Engine"), tr("Engine of all computations; applies at once"), new QComboBox);
    engine_->addItem(tr("Automatic"), QStringLiteral("auto"));
    for (const Engine* engine : registry.engines()) {
        if (engine->unusableReason().empty()) {
            const QString name = QString::fromStdString(engine->name());
            engine_->addItem(QStringLiteral("%1 (%2)").arg(name.toUpper(), QString::fromStdString(engine->device())),
                             name);
        }
    }
    engine_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    engine_->setMinimumContentsLength(24);
    threads_ = named(
        "threads", tr("Processors"),
        tr("Processors for the CPU engine, of %1; applies from the next start on").arg(QThread::idealThreadCount()),
        new QSpinBox);
    threads_->setRange(0, Settings::kMostThreads);
    threads_->setSpecialValueText(tr("all"));
    threads_->setKeyboardTracking(false);
    ask_ = makeCheck("askAboutMemory", tr("Ask before a picture that needs more than half of the free memory"),
                     tr("Shows the numbers and the choices: a part, a smaller version, the CPU"));
    cache_ =
        named("cacheMib", tr("Memory for earlier pages"),
              tr("Pages of a stack keep their trees up to this size, so that going back takes no time"), new QSpinBox);
    cache_->setRange(0, models_.limits.mostCacheMib());
    cache_->setSingleStep(256);
    cache_->setSuffix(tr(" MiB"));
    cache_->setSpecialValueText(tr("none"));
    cache_->setGroupSeparatorShown(true);
    cache_->setKeyboardTracking(false);

    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->addRow(tr("Engine"), engine_);
    form->addRow(tr("Processors (from the next start on)"), threads_);
    form->addRow(tr("Memory for earlier pages"), cache_);
    form->addRow(ask_);

    connect(engine_, &QComboBox::activated, this, [this] {
        const QString name = engine_->currentData().toString();
        models_.settings.setEngine(name);
        models_.document.choices().setEngine(name);
    });
    connect(threads_, &QSpinBox::valueChanged, &models_.settings, &Settings::setThreads);
    connect(ask_, &QCheckBox::toggled, &models_.limits, &Limits::setAsking);
    connect(cache_, &QSpinBox::valueChanged, &models_.limits, &Limits::setCacheMib);
    return page;
}

QWidget* PreferencesDialog::makeFiles() {
    megapixels_ = makeNumber("maxMegapixels", 1, Limits::kMostMegapixels, 1, tr(" MP"));
    explain(megapixels_, tr("Largest page"), tr("Pixels of a page, in millions"));
    decoded_ = makeNumber("maxDecodedGib", 0, Limits::kMostDecodedGib, 2, tr(" GiB"));
    decoded_->setSpecialValueText(tr("free memory"));
    explain(decoded_, tr("Largest decoded page"),
            tr("Bytes of all samples of a page; 0 for the free memory of the computer"));
    expansion_ = makeNumber("maxExpansion", Limits::kLeastExpansion, Limits::kMostExpansion, 0, tr(" : 1"));
    explain(expansion_, tr("Largest expansion"),
            tr("Decoded bytes per byte of the file, for pages over 256 MiB; beyond it a file is taken for a "
               "decompression bomb"));

    work_ =
        named("askAboutWork", tr("When leaving changed work"),
              tr("When a picture or the window is closed, or another picture opened, after changes"), new QComboBox);
    work_->addItem(tr("Ask"), true);
    work_->addItem(tr("Keep without asking"), false);

    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setSpacing(kPanelMargin);
    auto* work = new QFormLayout;
    work->addRow(tr("When leaving changed work"), work_);
    column->addLayout(work);
    column->addWidget(new SectionLabel(tr("Files that claim too much")));
    column->addWidget(makeNote(
        tr("A file beyond these limits is refused before memory is taken. They apply to files opened from now on.")));
    auto* form = new QFormLayout;
    form->addRow(tr("Largest page"), megapixels_);
    form->addRow(tr("Largest decoded page"), decoded_);
    form->addRow(tr("Largest expansion"), expansion_);
    column->addLayout(form);
    column->addStretch(1);

    connect(work_, &QComboBox::activated, this,
            [this] { models_.settings.setAskingAboutWork(work_->currentData().toBool()); });
    connect(megapixels_, &QDoubleSpinBox::valueChanged, &models_.limits, &Limits::setMaxMegapixels);
    connect(decoded_, &QDoubleSpinBox::valueChanged, &models_.limits, &Limits::setMaxDecodedGib);
    connect(expansion_, &QDoubleSpinBox::valueChanged, &models_.limits, &Limits::setMaxExpansion);
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

void PreferencesDialog::showSettings() {
    const Settings& settings = models_.settings;
    const QSignalBlocker quiet[] = {QSignalBlocker(reducedMotion_), QSignalBlocker(sceneUnits_),
                                    QSignalBlocker(rulersInPixels_), QSignalBlocker(threads_)};
    choose(*language_, settings.language());
    choose(*theme_, static_cast<int>(settings.theme()));
    choose(*colourMap_, static_cast<int>(models_.display.colourMap()));
    choose(*engine_, settings.engine());
    choose(*work_, settings.isAskingAboutWork());
    reducedMotion_->setChecked(settings.hasReducedMotion());
    sceneUnits_->setChecked(settings.hasSceneUnits());
    rulersInPixels_->setChecked(models_.overlays.areRulersInPixels());
    threads_->setValue(settings.threads());
}

void PreferencesDialog::showLimits() {
    const Limits& limits = models_.limits;
    // Displayed values are rounded and must not be written back.
    const QSignalBlocker quiet[] = {QSignalBlocker(ask_), QSignalBlocker(cache_), QSignalBlocker(megapixels_),
                                    QSignalBlocker(decoded_), QSignalBlocker(expansion_)};
    ask_->setChecked(limits.isAsking());
    cache_->setValue(limits.cacheMib());
    megapixels_->setValue(limits.maxMegapixels());
    decoded_->setValue(limits.maxDecodedGib());
    expansion_->setValue(limits.maxExpansion());
}

} // namespace pollard::app
