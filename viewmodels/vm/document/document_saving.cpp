// DocumentViewModel: writing the filtered picture and those of all pages.
#include "vm/document/document_view_model.hpp"

#include "vm/document/followed_stages.hpp"
#include "vm/document/page_filter.hpp"

#include <QFileInfo>

#include <utility>

namespace pollard::vm {

void DocumentViewModel::saveFiltered(const QString& path) {
    if (!hasResult()) {
        fail(tr("The picture was not saved"),
             {JobOutcome::Kind::failed, ErrorCode::invalidArgument, tr("There is no filtered picture.").toStdString()});
        return;
    }
    // A save during a drag writes the picture of the last position.
    saves_.add(QFileInfo(path).absoluteFilePath(), filtering_ ? nullptr : result(), shown_.info,
               resultValues(filtering_ ? filterSpec_.output : resultSpec().output));
    postNextSave();
}

PageFilter DocumentViewModel::pageFilter() const {
    OpenRequest stack = shown_.request;
    stack.pixelSize = statedPixelSize();
    return {jobs_->services(), std::move(stack), rules_, withoutPicks(treeRequest())};
}

void DocumentViewModel::saveAllPages(const QString& path) {
    if (!hasImage()) {
        return;
    }
    const QFileInfo file(path);
    SaveQueue::Task task{file.absoluteFilePath(), tr("Filtering all pages into %1").arg(file.fileName()), {}};
    task.run = [jobs = jobs_, target = file.filesystemFilePath(), pages = pageCount(),
                filter = pageFilter()](const JobContext& context) {
        jobs->filterPages(target, filter.stack, pages, filter.rules, filter.tree, context);
    };
    const QString what = task.what;
    saves_.add(std::move(task));
    postNextSave();
    setProgress(0, what);
}

ResultValues DocumentViewModel::resultValues(Output output) const {
    return resultValuesAfter(resultValuesOf(shown_.earlier), output);
}

void DocumentViewModel::postNextSave() {
    saves_.advance(filterGeneration_ != 0 ? nullptr : result()); // onFiltered() calls this function again
    updateActivity();
}

void DocumentViewModel::dropUnmadeSaves() {
    for (const QString& path : saves_.dropUnmade()) {
        fail(tr("%1 was not saved").arg(QFileInfo(path).fileName()),
             {JobOutcome::Kind::failed, {}, tr("The image was closed before it was filtered.").toStdString()});
    }
}

void DocumentViewModel::onSaved(const QString& path, const JobOutcome& outcome) {
    postNextSave();
    if (outcome.ok()) {
        emit saved(path);
    } else if (outcome.kind == JobOutcome::Kind::failed) {
        fail(tr("%1 was not saved").arg(QFileInfo(path).fileName()), outcome);
    }
}

} // namespace pollard::vm
