#include "jobs/score_report.hpp"

#include "base/text.hpp"
#include "text.hpp"

#include <string>

namespace pollard::cli {

Json scoreJson(const ScoreTotals& scored) {
    Json json;
    json["pixels"] = scored.pixels;
    json["objects"] = scored.matches.front().found;
    json["truth_objects"] = scored.matches.front().truth;
    json["mean_accuracy"] = meanAccuracy(scored.matches);
    json["matches"] = arrayOf(scored.matches, [](const MatchScore& match) {
        return Json{{"threshold", match.threshold},
                    {"matched", match.matched},
                    {"precision", match.precision()},
                    {"recall", match.recall()},
                    {"f1", match.f1()},
                    {"accuracy", match.accuracy()},
                    {"mean_overlap", match.meanOverlap()},
                    {"panoptic_quality", match.panopticQuality()}};
    });
    for (const ObjectOutcome outcome :
         {ObjectOutcome::missed, ObjectOutcome::invented, ObjectOutcome::split, ObjectOutcome::merged}) {
        json[std::string(nameOf(outcome))] = scored.number(outcome);
    }
    json["foreground"] = {{"iou", scored.foreground.iou()}, {"dice", scored.foreground.dice()}};
    return json;
}

void addScore(Report& report, const ScoreTotals& scored) {
    constexpr int kDecimals = 3;
    const auto share = [](double value) { return fixed(value, kDecimals); };
    report.text << counted(scored.matches.front().found, "object") << ", " << grouped(scored.matches.front().truth)
                << " in the truth: " << grouped(scored.number(ObjectOutcome::missed)) << " missed, "
                << grouped(scored.number(ObjectOutcome::invented)) << " invented, "
                << grouped(scored.number(ObjectOutcome::split)) << " split, "
                << grouped(scored.number(ObjectOutcome::merged)) << " merged\n";
    TextTable table({"IoU", "matched", "precision", "recall", "F1", "accuracy", "PQ"}, "rrrrrrr");
    for (const MatchScore& match : scored.matches) {
        table.add({exactNumber(match.threshold), grouped(match.matched), share(match.precision()),
                   share(match.recall()), share(match.f1()), share(match.accuracy()), share(match.panopticQuality())});
    }
    table.print(report.text);
    report.text << "mean accuracy " << share(meanAccuracy(scored.matches)) << "; foreground: IoU "
                << share(scored.foreground.iou()) << ", Dice " << share(scored.foreground.dice()) << '\n';
}

} // namespace pollard::cli
