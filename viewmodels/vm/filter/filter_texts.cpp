#include "vm/filter/filter_texts.hpp"

#include <QCoreApplication>

namespace pollard::vm {

namespace {

QString filterText(const char* source) { return QCoreApplication::translate("FilterTexts", source); }

} // namespace

QString ruleTitle(Rule rule) { return filterText(ruleInfo(rule).title); }
QString ruleToolTip(Rule rule) { return filterText(ruleInfo(rule).details); }

QString outputTitle(Output output) {
    switch (output) {
    case Output::filtered:
        return filterText("Filtered");
    case Output::residue:
        return filterText("Residue");
    case Output::mask:
        return filterText("Mask");
    case Output::labels:
        return filterText("Labels");
    }
    return {};
}

QString outputToolTip(Output output) {
    switch (output) {
    case Output::filtered:
        return filterText("The picture rebuilt from the kept components");
    case Output::residue:
        return filterText("The removed part: the difference between image and filtered picture (top-hat)");
    case Output::mask:
        return filterText("White where a kept component meets the criteria, else black");
    case Output::labels:
        return filterText("The number of the outermost kept component that holds the pixel, else 0");
    }
    return {};
}

QString prominenceTitle(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return filterText("dynamics");
    case Prominence::extinctionArea:
        return filterText("area");
    case Prominence::extinctionVolume:
        return filterText("volume");
    }
    return {};
}

QString prominenceToolTip(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return filterText("Descent from an extremum that leads to a higher one (Grimaud 1992)");
    case Prominence::extinctionArea:
        return filterText("The area at which an extremum meets one with a larger area (Vachier, Meyer 1995)");
    case Prominence::extinctionVolume:
        return filterText("The volume at which an extremum meets one with a larger volume (Vachier, Meyer 1995)");
    }
    return {};
}

} // namespace pollard::vm
