#include "vm/lab/lab_quiz.hpp"

#include "vm/base/teach_text.hpp"

#include <QCoreApplication>

namespace pollard::vm {
namespace {

QString labQuizText(const char* source) { return QCoreApplication::translate("LabQuiz", source); }

} // namespace

std::optional<LabQuestion> questionBefore(const teach::Trace& trace, std::size_t step) {
    if (step >= trace.steps.size() || !trace.steps[step].asks) {
        return std::nullopt;
    }
    const std::size_t end = trace.changesEnd(step);
    if (end == trace.steps[step].firstChange) {
        return std::nullopt;
    }
    const teach::Change& last = trace.changes[end - 1];
    if (last.layer != teach::Layer::parent && last.layer != teach::Layer::kept) {
        return std::nullopt;
    }
    return LabQuestion{last.layer, last.at, last.after};
}

QString questionText(const teach::Trace& trace, const LabQuestion& question) {
    const QString pixel = pixelText(trace.picture, question.pixel);
    return question.layer == teach::Layer::parent
               ? labQuizText("Which pixel becomes the parent of %1? Click it, or go there and press Return.").arg(pixel)
               : labQuizText("Does the filter keep the node of %1, or remove it?").arg(pixel);
}

bool LabScore::answer(std::size_t step, const LabQuestion& question, std::int64_t answer) {
    const bool isRight = answer == question.answer;
    if (answered_.insert(step).second && isRight) {
        ++right_;
    }
    return isRight;
}

void LabScore::clear() {
    answered_.clear();
    right_ = 0;
}

} // namespace pollard::vm
