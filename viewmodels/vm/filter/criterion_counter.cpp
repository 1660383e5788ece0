#include "vm/filter/criterion_counter.hpp"

#include <algorithm>

namespace pollard::vm {

namespace {

/// Values between two checks of the token; they take well under a millisecond.
constexpr std::size_t kPiece = 1U << 18U;

bool sameQuestion(const CriterionCounter::Question& a, const CriterionCounter::Question& b) {
    return a.criterion == b.criterion && a.column == b.column;
}

} // namespace

std::uint64_t countMeeting(const AttributeColumn& column, const Criterion& criterion, const JobControl& control) {
    return std::visit(
        [&](const auto& values) {
            std::uint64_t kept = 0;
            for (std::size_t start = 0; start < values.size(); start += kPiece) {
                control.throwIfStopped();
                const std::size_t end = std::min(start + kPiece, values.size());
                for (std::size_t i = start; i < end; ++i) {
                    const auto value = static_cast<double>(values[i]);
                    kept += value >= criterion.minimum && value <= criterion.maximum ? 1U : 0U;
                }
            }
            return kept;
        },
        column.values);
}

CriterionCounter::CriterionCounter(QObject* parent) : QObject(parent) {
    rest_.setSingleShot(true);
    rest_.setInterval(kDelay);
    connect(&rest_, &QTimer::timeout, this, &CriterionCounter::count);
}

void CriterionCounter::ask(std::vector<Question> questions) {
    std::vector<Entry> entries;
    entries.reserve(questions.size());
    bool missing = false;
    for (Question& question : questions) {
        Entry entry{std::move(question), std::nullopt};
        const auto known = std::ranges::find_if(
            entries_, [&](const Entry& old) { return old.kept && sameQuestion(old.question, entry.question); });
        if (known != entries_.end()) {
            entry.kept = known->kept;
        }
        missing = missing || (!entry.kept && entry.question.column);
        entries.push_back(std::move(entry));
    }
    entries_ = std::move(entries);
    if (missing) {
        rest_.start();
    } else {
        rest_.stop();
    }
}

std::optional<std::uint64_t> CriterionCounter::kept(std::size_t i) const {
    return i < entries_.size() ? entries_[i].kept : std::nullopt;
}

void CriterionCounter::count() {
    std::vector<Entry> missing;
    for (const Entry& entry : entries_) {
        if (!entry.kept && entry.question.column) {
            missing.push_back(entry);
        }
    }
    worker_.cancel(Lane::measure);
    worker_.post(
        Lane::measure,
        [missing = std::move(missing)](const std::stop_token& stop) mutable {
            for (Entry& entry : missing) {
                entry.kept = countMeeting(*entry.question.column, entry.question.criterion, JobControl(stop));
            }
            return std::move(missing);
        },
        [this](const JobOutcome& outcome, const std::vector<Entry>& results) {
            if (!outcome.ok()) {
                return;
            }
            for (Entry& entry : entries_) {
                const auto found = std::ranges::find_if(
                    results, [&](const Entry& result) { return sameQuestion(result.question, entry.question); });
                if (found != results.end()) {
                    entry.kept = found->kept;
                }
            }
            emit counted();
        });
}

} // namespace pollard::vm
