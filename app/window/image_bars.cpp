#include "window/image_bars.hpp"

#include "shell/models.hpp"
#include "vm/batch/chunk_filter_view_model.hpp"
#include "vm/batch/overview.hpp"
#include "vm/filter/empty_result.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/recipe/stale_filter.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"

#include <QAction>
#include <QPushButton>

namespace pollard::app {

ImageBar* makeStaleFilterBar(vm::StaleFilter& carried, vm::EarlierFilters& earlier, QWidget& picture) {
    auto* bar = new ImageBar("carriedFilter", ImageBar::tr("Filter of another picture"), picture);
    bar->addButton("carriedFilterKeep", ImageBar::tr("&Keep"), ImageBar::tr("Keep the filter"),
                   ImageBar::tr("Keep the filter for this picture and the next ones"), [&carried] { carried.keep(); });
    bar->addButton("carriedFilterClear", ImageBar::tr("Clea&r"), ImageBar::tr("Clear the filter"),
                   ImageBar::tr("Show the picture as it is in the file; Undo brings the filter back"),
                   [&carried, &earlier] { carried.isCleared() ? carried.dismiss() : earlier.clearAll(); });
    bar->addClose("carriedFilterClose", ImageBar::tr("Close this line and leave the filter as it is"),
                  [&carried] { carried.dismiss(); });
    follow(
        bar, [bar, &carried] { bar->showText(carried.text()); }, carried, &vm::StaleFilter::changed);
    return bar;
}

ImageBar* makeEmptyResultBar(vm::EmptyResult& empty, vm::StaleFilter& carried, vm::EarlierFilters& earlier,
                             QWidget& picture) {
    auto* bar = new ImageBar("emptyResult", ImageBar::tr("Result without contents"), picture);
    bar->addButton("emptyResultShowAll", ImageBar::tr("Show &all again"), ImageBar::tr("Show all again"),
                   ImageBar::tr("Clear the filter and show the whole picture; Undo brings the filter back"),
                   [&earlier] { earlier.clearAll(); });
    auto* off = bar->addButton("emptyResultTurnOff", ImageBar::tr("&Turn off"), ImageBar::tr("Turn the criterion off"),
                               ImageBar::tr("Turn off the criterion that removes most, and keep the others"),
                               [&empty] { empty.turnOff(); });
    bar->addClose("emptyResultClose", ImageBar::tr("Close this line until the filter or the picture changes"),
                  [&empty] { empty.dismiss(); });
    const auto show = [bar, off, &empty, &carried] {
        off->setVisible(!empty.criterion().isEmpty()); // the text names it
        bar->showText(carried.isNoticed() ? QString() : empty.text());
    };
    QObject::connect(&carried, &vm::StaleFilter::changed, bar, show);
    follow(bar, show, empty, &vm::EmptyResult::changed);
    return bar;
}

ImageBar* makePreviewBar(Models& models, const Actions& actions, QWidget& picture) {
    vm::ChunkFilterViewModel& whole = models.chunkFilter;
    vm::Overview& overview = models.overview;
    auto* bar = new ImageBar("preview", ImageBar::tr("Part or smaller version of a picture"), picture);
    const auto add = [bar](const char* objectName, const QString& text, const QString& name, QAction& action) {
        return bar->addButton(objectName, text, name, action.toolTip(), [&action] { action.trigger(); });
    };
    auto* visible = add("previewFilterVisible", ImageBar::tr("Filter the &visible region"),
                        ImageBar::tr("Filter the visible region exactly"), *actions.filterVisible);
    auto* back = add("previewBack", ImageBar::tr("&Back to the overview"), ImageBar::tr("Back to the overview"),
                     *actions.backToOverview);
    auto* all = add("previewFilterWhole", ImageBar::tr("Filter the &whole picture…"),
                    ImageBar::tr("Filter the whole picture"), *actions.filterWhole);
    add("previewChoose", ImageBar::tr("&Other…"), ImageBar::tr("Other level or part"), *actions.chooseSize);
    bar->addClose("previewClose", ImageBar::tr("Close this line until another picture or part is opened"),
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
        bar->showText(isPart ? ImageBar::tr("A part of the picture at full resolution") : whole.previewText());
    };
    QObject::connect(&overview, &vm::Overview::changed, bar, show);
    follow(bar, show, whole, &vm::ChunkFilterViewModel::previewChanged);
    return bar;
}

} // namespace pollard::app
