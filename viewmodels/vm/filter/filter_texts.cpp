// FilterViewModel: names and explanations of its settings.
#include "vm/base/attribute_catalogue.hpp"
#include "vm/filter/filter_view_model.hpp"

namespace pollard::vm {

QString FilterViewModel::attributeTitle(AttributeId id) { return vm::attributeTitle(id); }
QString FilterViewModel::attributeToolTip(AttributeId id) { return attributeDetails(id); }

QString FilterViewModel::ruleTitle(Rule rule) {
    switch (rule) {
    case Rule::direct:
        return tr("Direct");
    case Rule::min:
        return tr("Min (prune)");
    case Rule::max:
        return tr("Max");
    case Rule::viterbi:
        return tr("Viterbi (prune)");
    case Rule::subtractive:
        return tr("Subtractive");
    }
    return {};
}

QString FilterViewModel::ruleToolTip(Rule rule) {
    switch (rule) {
    case Rule::direct:
        return tr("Pixels of a removed component get the level of the nearest kept one around it");
    case Rule::min:
        return tr("A component is kept only if it and all components around it meet the criteria");
    case Rule::max:
        return tr("A component is kept if it or any component inside it meets the criteria");
    case Rule::viterbi:
        return tr("As Min, but the criteria are overruled for as few components as possible, not always downwards "
                  "(Salembier, Oliveras, Garrido 1998)");
    case Rule::subtractive:
        return tr("As Direct, and what lies inside a removed component is lowered by the contrast that was removed "
                  "(Urbach, Wilkinson 2002)");
    }
    return {};
}

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
        return tr("The picture rebuilt from the components that are kept");
    case Output::residue:
        return tr("What was removed: the difference between image and filtered picture (top-hat)");
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
        return tr("How far one has to descend from an extremum to reach a higher one (Grimaud 1992)");
    case Prominence::extinctionArea:
        return tr("The area at which an extremum meets one with a larger area (Vachier, Meyer 1995)");
    case Prominence::extinctionVolume:
        return tr("The volume at which an extremum meets one with a larger volume (Vachier, Meyer 1995)");
    }
    return {};
}

} // namespace pollard::vm
