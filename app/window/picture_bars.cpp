#include "window/picture_bars.hpp"

#include "shell/models.hpp"
#include "vm/batch/chunk_filter_view_model.hpp"
#include "vm/batch/overview.hpp"
#include "vm/filter/empty_result.hpp"
#include "vm/recipe/carried_filter.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"

#include <QAction>
#include <QPushButton>

namespace pollard::app {

PictureBar* makeCarriedFilterBar(vm::CarriedFilter& carried, vm::EarlierFilters& earlier, QWidget& picture) {
    auto* bar = new PictureBar("carriedFilter", PictureBar::tr("Filter of another picture"), picture);
    bar->addButton("carriedFilterKeep", PictureBar::tr("&Keep"), PictureBar::tr("Keep the filter"),
                   PictureBar::tr("Keep the filter for this picture and the next ones"),
                   [&carried] { carried.keep(); });
    bar->addButton("carriedFilterClear", PictureBar::tr("Clea&r"), PictureBar::tr("Clear the filter"),
                   PictureBar::tr("Show the picture as it is in the file; Undo brings the filter back"),
                   [&carried, &earlier] { carried.isCleared() ? carried.dismiss() : earlier.clearAll(); });
    bar->addClose("carriedFilterClose", PictureBar::tr("Close this line and leave the filter as it is"),
                  [&carried] { carried.dismiss(); });
    follow(
        bar, [bar, &carried] { bar->showText(carried.text()); }, carried, &vm::CarriedFilter::changed);
    return bar;
}

PictureBar* makeEmptyResultBar(vm::EmptyResult& empty, vm::CarriedFilter& carried, vm::EarlierFilters& earlier,
                               QWidget& picture) {
    auto* bar = new PictureBar("emptyResult", PictureBar::tr("Result without contents"), picture);
    bar->addButton("emptyResultShowAll", PictureBar::tr("Show &all again"), PictureBar::tr("Show all again"),
                   PictureBar::tr("Clear the filter and show the whole picture; Undo brings the filter back"),
                   [&earlier] { earlier.clearAll(); });
    auto* off = bar->addButton(
        "emptyResultTurnOff", PictureBar::tr("&Turn off"), PictureBar::tr("Turn the criterion off"),
        PictureBar::tr("Turn off the criterion that removes most, and keep the others"), [&empty] { empty.turnOff(); });
    bar->addClose("emptyResultClose", PictureBar::tr("Close this line until the filter or the picture changes"),
                  [&empty] { empty.dismiss(); });
    const auto show = [bar, off, &empty, &carried] {
        off->setVisible(!empty.criterion().isEmpty()); // the text names it
        bar->showText(carried.isNoticed() ? QString() : empty.text());
    };
    QObject::connect(&carried, &vm::CarriedFilter::changed, bar, show);
    follow(bar, show, empty, &vm::EmptyResult::changed);
    return bar;
}

PictureBar* makePreviewBar(Models& models, const Actions& actions, QWidget& picture) {
    vm::ChunkFilterViewModel& whole = models.chunkFilter;
    vm::Overview& overview = models.overview;
    auto* bar = new PictureBar("preview", PictureBar::tr("Part or smaller version of a picture"), picture);
    const auto add = [bar](const char* objectName, const QString& text, const QString& name, QAction& action) {
        return bar->addButton(objectName, text, name, action.toolTip(), [&action] { action.trigger(); });
    };
    auto* visible = add("previewFilterVisible", PictureBar::tr("Filter the &visible region"),
                        PictureBar::tr("Filter the visible region exactly"), *actions.filterVisible);
    auto* back = add("previewBack", PictureBar::tr("&Back to the overview"), PictureBar::tr("Back to the overview"),
                     *actions.backToOverview);
    auto* all = add("previewFilterWhole", PictureBar::tr("Filter the &whole picture…"),
                    PictureBar::tr("Filter the whole picture"), *actions.filterWhole);
    add("previewChoose", PictureBar::tr("&Other…"), PictureBar::tr("Other level or part"), *actions.chooseSize);
    bar->addClose("previewClose", PictureBar::tr("Close this line until another picture or part is opened"),
                  [&whole] { whole.dismissPreview(); });
    const auto showAll = [all, &action = *actions.filterWhole] {
        all->setEnabled(action.isEnabled());
        all->setToolTip(action.toolTip());
    };
    follow(all, showAll, *actions.filterWhole, &QAction::changed);
    const auto show = [bar, visible, back, &whole, &overview] {
        visible->setVisible(overview.problem().isEmpty());
        back->setVisible(overview.canReturn());
        const bool isPart = overview.canReturn() && !whole.isPreviewDismissed();
        bar->showText(isPart ? PictureBar::tr("A part of the picture at full resolution") : whole.previewText());
    };
    QObject::connect(&overview, &vm::Overview::changed, bar, show);
    follow(bar, show, whole, &vm::ChunkFilterViewModel::previewChanged);
    return bar;
}

} // namespace pollard::app
