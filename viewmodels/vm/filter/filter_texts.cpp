#include "vm/filter/filter_texts.hpp"

#include <QCoreApplication>

namespace pollard::vm {

namespace {

QString text(const char* source) { return QCoreApplication::translate("FilterTexts", source); }

} // namespace

QString ruleTitle(Rule rule) { return text(ruleInfo(rule).title); }
QString ruleToolTip(Rule rule) { return text(ruleInfo(rule).details); }

QString outputTitle(Output output) {
    switch (output) {
    case Output::filtered:
        return text("Filtered");
    case Output::residue:
        return text("Residue");
    case Output::mask:
        return text("Mask");
    case Output::labels:
        return text("Labels");
    }
    return {};
}

QString outputToolTip(Output output) {
    switch (output) {
    case Output::filtered:
        return text("The picture rebuilt from the kept components");
    case Output::residue:
        return text("The removed part: the difference between image and filtered picture (top-hat)");
    case Output::mask:
        return text("White where a kept component meets the criteria, else black");
    case Output::labels:
        return text("The number of the outermost kept component that holds the pixel, else 0");
    }
    return {};
}

QString prominenceTitle(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return text("dynamics");
    case Prominence::extinctionArea:
        return text("area");
    case Prominence::extinctionVolume:
        return text("volume");
    }
    return {};
}

QString prominenceToolTip(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return text("Descent from an extremum that leads to a higher one (Grimaud 1992)");
    case Prominence::extinctionArea:
        return text("The area at which an extremum meets one with a larger area (Vachier, Meyer 1995)");
    case Prominence::extinctionVolume:
        return text("The volume at which an extremum meets one with a larger volume (Vachier, Meyer 1995)");
    }
    return {};
}

} // namespace pollard::vm
