#include "vm/display/named_windows.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace pollard::vm {

namespace {

/// Width and centre, as radiologists state windows.
struct CtWindow {
    const char* id;
    const char* name;
    double width;
    double centre;
};
constexpr std::array kCtWindows{
    CtWindow{"brain", QT_TRANSLATE_NOOP("NamedWindows", "Brain"), 80, 40},
    CtWindow{"bone", QT_TRANSLATE_NOOP("NamedWindows", "Bone"), 2000, 300},
    CtWindow{"lung", QT_TRANSLATE_NOOP("NamedWindows", "Lung"), 1500, -600},
    CtWindow{"softTissue", QT_TRANSLATE_NOOP("NamedWindows", "Soft tissue"), 400, 40},
};

} // namespace

QString NamedWindow::valuesText() const {
    const QLocale locale;
    constexpr int kDigits = 6;
    const QString text =
        QCoreApplication::translate("NamedWindows", "%1 to %2")
            .arg(locale.toString(values.low, 'g', kDigits), locale.toString(values.high, 'g', kDigits));
    return unit.isEmpty() ? text : text + QLatin1Char(' ') + unit;
}

QList<NamedWindow> namedWindows(const ImageInfo* info) {
    QList<NamedWindow> windows;
    if (info == nullptr) {
        return windows;
    }
    const QString unit = QString::fromStdString(unitOf(info->mapping));
    if (info->window) {
        windows << NamedWindow{QStringLiteral("file"), QCoreApplication::translate("NamedWindows", "As in the file"),
                               *info->window, unit};
    }
    if (unit == QLatin1String("HU")) {
        for (const CtWindow& each : kCtWindows) {
            windows << NamedWindow{QString::fromLatin1(each.id),
                                   QCoreApplication::translate("NamedWindows", each.name),
                                   {each.centre - each.width / 2, each.centre + each.width / 2},
                                   unit};
        }
    }
    return windows;
}

} // namespace pollard::vm
