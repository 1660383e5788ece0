// FilterViewModel: names and explanations of its settings.
#include "vm/base/attribute_catalogue.hpp"
#include "vm/filter/filter_view_model.hpp"

namespace pollard::vm {

QString FilterViewModel::attributeTitle(AttributeId id) { return vm::attributeTitle(id); }
QString FilterViewModel::attributeToolTip(AttributeId id) { return attributeDetails(id); }

QString FilterViewModel::ruleTitle(Rule rule) { return tr(ruleInfo(rule).title); }
QString FilterViewModel::ruleToolTip(Rule rule) { return tr(ruleInfo(rule).details); }

QString FilterViewModel::outputTitle(Output output) {
    switch (output) {
    case Output::filtered:
        return tr("Filtered");
    case Output::residue:
        return tr("Residue");
    case Output::mask:
        return tr("Mask");
    case Output::labels:
        return tr("Labels");
    }
    return {};
}

QString FilterViewModel::outputToolTip(Output output) {
    switch (output) {
    case Output::filtered:
        return tr("The picture rebuilt from the kept components");
    case Output::residue:
        return tr("The removed part: the difference between image and filtered picture (top-hat)");
    case Output::mask:
        return tr("White where a kept component meets the criteria, else black");
    case Output::labels:
        return tr("The number of the outermost kept component that holds the pixel, else 0");
    }
    return {};
}

QString FilterViewModel::prominenceTitle(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return tr("dynamics");
    case Prominence::extinctionArea:
        return tr("area");
    case Prominence::extinctionVolume:
        return tr("volume");
    }
    return {};
}

QString FilterViewModel::prominenceToolTip(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return tr("Descent from an extremum that leads to a higher one (Grimaud 1992)");
    case Prominence::extinctionArea:
        return tr("The area at which an extremum meets one with a larger area (Vachier, Meyer 1995)");
    case Prominence::extinctionVolume:
        return tr("The volume at which an extremum meets one with a larger volume (Vachier, Meyer 1995)");
    }
    return {};
}

} // namespace pollard::vm
