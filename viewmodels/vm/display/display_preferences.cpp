#include "vm/display/display_preferences.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"

#include <QMetaEnum>
#include <QSettings>

namespace pollard::vm {
namespace {

constexpr auto kAutoLow = "display/autoLow";
constexpr auto kAutoHigh = "display/autoHigh";
constexpr auto kMarks = "display/marksSaturation";
constexpr auto kBlinkInterval = "display/blinkInterval";
constexpr auto kBlinkByItself = "display/blinkByItself";
constexpr auto kAbsolute = "display/absoluteDifference";
constexpr auto kComposite = "display/composite";
constexpr auto kHistogramSource = "display/histogramSource";

using Source = HistogramViewModel::Source;

Source sourceCalled(const QString& name) {
    bool known = false;
    const int source = QMetaEnum::fromType<Source>().keyToValue(name.toLatin1().constData(), &known);
    return known ? static_cast<Source>(source) : Source::image;
}

} // namespace

void keepDisplayPreferences(QSettings& settings, DisplayViewModel& display, HistogramViewModel& histogram) {
    CompareViewModel& compare = display.compare();
    display.setAutoLow(settings.value(kAutoLow, display.autoLow()).toDouble());
    display.setAutoHigh(settings.value(kAutoHigh, display.autoHigh()).toDouble());
    display.setMarksSaturation(settings.value(kMarks, false).toBool());
    compare.setBlinkInterval(settings.value(kBlinkInterval, compare.blinkInterval()).toDouble());
    compare.setBlinkByItself(settings.value(kBlinkByItself, true).toBool());
    compare.setAbsolute(settings.value(kAbsolute, false).toBool());
    display.composite().setOn(settings.value(kComposite, true).toBool());
    histogram.setSource(sourceCalled(settings.value(kHistogramSource).toString()));

    QObject::connect(&display, &DisplayViewModel::autoRangeChanged, &display, [&] {
        settings.setValue(kAutoLow, display.autoLow());
        settings.setValue(kAutoHigh, display.autoHigh());
    });
    QObject::connect(&display, &DisplayViewModel::marksChanged, &display,
                     [&] { settings.setValue(kMarks, display.marksSaturation()); });
    QObject::connect(&compare, &CompareViewModel::blinkIntervalChanged, &display, [&] {
        settings.setValue(kBlinkInterval, display.compare().blinkInterval());
        settings.setValue(kBlinkByItself, display.compare().blinksByItself());
    });
    QObject::connect(&compare, &CompareViewModel::differenceChanged, &display,
                     [&] { settings.setValue(kAbsolute, display.compare().isAbsolute()); });
    QObject::connect(&display.composite(), &CompositeViewModel::onChanged, &display,
                     [&] { settings.setValue(kComposite, display.composite().isWanted()); });
    QObject::connect(&histogram, &HistogramViewModel::changed, &histogram, [&] {
        const auto source = static_cast<int>(histogram.source());
        settings.setValue(kHistogramSource, QString::fromLatin1(QMetaEnum::fromType<Source>().valueToKey(source)));
    });
}

} // namespace pollard::vm
