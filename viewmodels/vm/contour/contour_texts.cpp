#include "vm/contour/contour_texts.hpp"

#include <QCoreApplication>

namespace pollard::vm {

namespace {

/// Texts of the contour workspace.
struct Texts {
    Q_DECLARE_TR_FUNCTIONS(pollard::vm::ContourViewModel)
};

QString lawName(RegionLaw law) {
    switch (law) {
    case RegionLaw::gaussian:
        return Texts::tr("Gaussian");
    case RegionLaw::poisson:
        return Texts::tr("Poisson");
    case RegionLaw::gamma:
        return Texts::tr("Gamma");
    case RegionLaw::rayleigh:
        return Texts::tr("Rayleigh");
    }
    return {};
}

} // namespace

QString nameOf(const ContourRun& run, std::uint32_t width, std::uint32_t height) {
    QString name = Texts::tr("%1: %2, step %3, length %4")
                       .arg(run.id)
                       .arg(lawName(run.spec.law))
                       .arg(usedMaxStep(run.spec, width, height))
                       .arg(run.spec.minLength);
    if (run.engine.isWhole && !run.engine.algorithm.empty()) {
        name = Texts::tr("%1, %2").arg(name, QString::fromStdString(run.engine.algorithm));
    }
    if (run.record.contours() > 1) {
        name = Texts::tr("%1, %2 contours").arg(name).arg(run.record.contours());
    }
    if (run.engine.apart) {
        name = Texts::tr("%1, surroundings of %2 px").arg(name).arg(*run.engine.apart);
    }
    return run.parent == 0 ? Texts::tr("%1; %2").arg(name, run.origin)
                           : Texts::tr("%1; from run %2 at state %3").arg(name).arg(run.parent).arg(run.parentState);
}

QString sentenceOf(const std::string& message) {
    QString text = QString::fromStdString(message);
    const QString prefix = QStringLiteral("region snake: ");
    if (text.startsWith(prefix)) {
        text.remove(0, prefix.size());
    }
    if (text.isEmpty()) {
        return Texts::tr("There is not enough memory.");
    }
    text[0] = text[0].toUpper();
    return text.endsWith(u'.') ? text : text + u'.';
}

QString takenOverText(const std::string& why) {
    return Texts::tr("The CPU moved the contour: %1").arg(sentenceOf(why));
}

} // namespace pollard::vm
