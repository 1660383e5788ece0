#include "vm/lab/lab_player_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/lab/lab_recording.hpp"
#include "vm/lab/lab_view_model.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kSecond = 1000; ///< ms
constexpr int kBeyond = std::numeric_limits<int>::max();

} // namespace

LabPlayerViewModel::LabPlayerViewModel(LabViewModel& lab, QObject* parent) : QObject(parent), lab_(lab) {
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &LabPlayerViewModel::onTick);
    connect(&lab_, &LabViewModel::imageChanged, this, [this] {
        spec_.hand.clear();
        fitThreshold();
        emit specChanged();
        record();
    });
    spec_.filter.criteria = {{AttributeId::area, 4, std::numeric_limits<double>::infinity()}};
    fitThreshold();
    record();
}

void LabPlayerViewModel::fitThreshold() {
    const auto [least, most] = std::ranges::minmax_element(lab_.image().levels);
    if (spec_.threshold <= *least || spec_.threshold > *most) {
        spec_.threshold = static_cast<std::uint16_t>(*least + (*most - *least + 1) / 2);
    }
}

const teach::PlayerInfo& LabPlayerViewModel::info() const {
    return teach::players()[static_cast<std::size_t>(player_)];
}

void LabPlayerViewModel::record() {
    worker_.post(
        Lane::measure,
        [player = &info(), image = lab_.image(), spec = spec_](const std::stop_token&) {
            return std::make_shared<LabRecording>(recordLab(*player, image, spec));
        },
        std::bind_front(&LabPlayerViewModel::take, this));
}

void LabPlayerViewModel::take(const JobOutcome& outcome, const std::shared_ptr<LabRecording>& recording) {
    if (!outcome.ok()) {
        problem_ = QString::fromStdString(outcome.message);
        emit recordingChanged();
        return;
    }
    problem_.clear();
    const bool same = recording_ != nullptr && recording_->player == recording->player;
    const bool isNewest = recording->player == &info() && recording->spec == spec_;
    const int place = wanted_ && isNewest ? *wanted_ : !same ? 0 : atEnd() ? kBeyond : done();
    if (isNewest) {
        wanted_.reset();
    }
    recording_ = recording;
    cursor_.emplace(recording_->trace);
    cursor_->moveTo(static_cast<std::size_t>(place));
    verdict_.clear();
    score_.clear();
    if (atEnd()) {
        setPlaying(false);
    }
    emit recordingChanged();
    emit stepChanged();
    emit guessingChanged();
}

const std::vector<std::int64_t>& LabPlayerViewModel::layer(teach::Layer layer) const {
    static const std::vector<std::int64_t> kNone;
    return cursor_ ? cursor_->layer(layer) : kNone;
}

QString LabPlayerViewModel::caption() const {
    if (recording_ == nullptr) {
        return problem_;
    }
    const auto asked = question();
    const QString text = asked ? questionText(*recording_->trace, *asked) : captionAt(*recording_, cursor_->done());
    return verdict_.isEmpty() ? text : QStringLiteral("%1 %2").arg(verdict_, text);
}

int LabPlayerViewModel::line() const {
    if (recording_ == nullptr) {
        return -1;
    }
    const auto& steps = recording_->trace->steps;
    if (question()) {
        return steps[cursor_->done()].text->line;
    }
    return done() == 0 ? -1 : steps[cursor_->done() - 1].text->line;
}

QStringList LabPlayerViewModel::lines() const {
    QStringList lines;
    for (const char* each : recording_ != nullptr ? recording_->player->lines : info().lines) {
        lines << teachText(each);
    }
    return lines;
}

QString LabPlayerViewModel::spoken() const {
    QStringList parts{tr("Step %1 of %2.").arg(done()).arg(stepCount()), caption()};
    const QStringList code = lines();
    if (line() >= 0 && line() < code.size()) {
        parts << tr("Line %1: %2").arg(line() + 1).arg(code[line()].trimmed());
    }
    return parts.join(u' ');
}

QString LabPlayerViewModel::readout(int pixel) const {
    const teach::LabImage& image = lab_.image();
    if (pixel < 0 || static_cast<std::size_t>(pixel) >= image.pixelCount()) {
        return {};
    }
    const auto at = static_cast<std::size_t>(pixel);
    QStringList parts{tr("Pixel %1, level %2").arg(pixelText(image, pixel)).arg(image.levels[at])};
    if (recording_ == nullptr || recording_->trace->image != image) {
        return parts.front();
    }
    const auto& parents = layer(teach::Layer::parent);
    if (at < parents.size()) {
        parts << (parents[at] == pixel ? tr("its own parent")
                  : parents[at] < 0    ? tr("no parent yet")
                                       : tr("parent %1").arg(pixelText(image, parents[at])));
    }
    const auto& numbers = layer(teach::Layer::number);
    if (at < numbers.size() && numbers[at] >= 0) {
        parts << tr("number %1").arg(numbers[at]);
    }
    const auto& output = layer(teach::Layer::output);
    if (at < output.size() && output[at] >= 0) {
        parts << tr("result %1").arg(output[at]);
    }
    if (!parents.empty()) {
        const DrawnTree::Node& node = recording_->tree.nodes[recording_->tree.nodeOf[at]];
        parts << tr("node of %1, level %2, %n px", nullptr, static_cast<int>(node.area))
                     .arg(pixelText(image, node.canonical))
                     .arg(node.level);
    }
    return parts.join(QStringLiteral("; "));
}

std::vector<std::uint8_t> LabPlayerViewModel::choices() const {
    const bool byHand = recording_ != nullptr && recording_->player->asksThreads &&
                        recording_->spec.turns == teach::Turns::byHand && atEnd();
    return byHand ? recording_->trace->choices : std::vector<std::uint8_t>();
}

std::optional<LabQuestion> LabPlayerViewModel::question() const {
    return guessing_ && cursor_ ? questionBefore(cursor_->trace(), cursor_->done()) : std::nullopt;
}

QString LabPlayerViewModel::scoreText() const { return tr("%1 of %2 right").arg(score_.right()).arg(score_.asked()); }

void LabPlayerViewModel::setPlayer(int player) {
    if (player != player_) {
        teach::PlayerSpec spec = spec_;
        spec.hand.clear();
        start(player, spec, 0);
    }
}

void LabPlayerViewModel::setSpec(const teach::PlayerSpec& spec) {
    if (spec == spec_) {
        return;
    }
    const bool handStays = spec.hand != spec_.hand;
    spec_ = spec;
    if (!handStays) { // chosen turns belong to their run
        spec_.hand.clear();
    }
    emit specChanged();
    record();
}

void LabPlayerViewModel::setBeside(int player) {
    change(this, beside_, std::clamp(player, -1, static_cast<int>(teach::players().size()) - 1),
           &LabPlayerViewModel::besideChanged);
}

void LabPlayerViewModel::start(int player, const teach::PlayerSpec& spec, int done) {
    if (player < 0 || player >= static_cast<int>(teach::players().size())) {
        return;
    }
    setPlaying(false);
    player_ = player;
    spec_ = spec;
    fitThreshold();
    wanted_ = std::max(0, done);
    emit specChanged();
    record();
}

void LabPlayerViewModel::moveTo(int done) {
    if (!cursor_) {
        return;
    }
    done = std::clamp(done, 0, stepCount());
    if (done == this->done()) {
        return;
    }
    verdict_.clear();
    cursor_->moveTo(static_cast<std::size_t>(done));
    if (atEnd()) {
        setPlaying(false);
    }
    emit stepChanged();
}

void LabPlayerViewModel::setPlaying(bool playing) {
    if (playing == isPlaying() || (playing && stepCount() == 0)) {
        return;
    }
    if (playing) {
        if (atEnd()) {
            toStart();
        }
        timer_.start(static_cast<int>(kSecond / speed_));
    } else {
        timer_.stop();
    }
    emit playingChanged();
}

void LabPlayerViewModel::setSpeed(double speed) {
    if (change(speed_, std::clamp(speed, kSpeeds.front(), kSpeeds.back()))) {
        timer_.setInterval(static_cast<int>(kSecond / speed_));
        emit speedChanged();
    }
}

void LabPlayerViewModel::onTick() {
    if (!question()) { // else waits for the answer
        stepForward();
    }
}

void LabPlayerViewModel::takeTurn(int thread) {
    const std::vector<std::uint8_t> able = choices();
    if (!isIdle() || std::ranges::find(able, thread) == able.end()) {
        return;
    }
    spec_.hand.push_back(static_cast<std::uint8_t>(thread));
    wanted_ = kBeyond;
    emit specChanged();
    record();
}

void LabPlayerViewModel::takeTurnBack() {
    if (isIdle() && !spec_.hand.empty()) {
        spec_.hand.pop_back();
        wanted_ = kBeyond;
        emit specChanged();
        record();
    }
}

void LabPlayerViewModel::setGuessing(bool guessing) {
    if (change(guessing_, guessing)) {
        verdict_.clear();
        emit guessingChanged();
        emit stepChanged();
    }
}

void LabPlayerViewModel::answer(qint64 value) {
    const auto asked = question();
    if (!asked) {
        return;
    }
    const bool isRight = score_.answer(cursor_->done(), *asked, value);
    cursor_->moveTo(cursor_->done() + 1);
    verdict_ = isRight ? tr("Right.")
               : asked->layer == teach::Layer::parent
                   ? tr("No: it is %1.").arg(pixelText(recording_->trace->image, asked->answer))
               : asked->answer != 0 ? tr("No: it is kept.")
                                    : tr("No: it is removed.");
    if (atEnd()) {
        setPlaying(false);
    }
    emit guessingChanged();
    emit stepChanged();
}

namespace {

constexpr auto kOwnScenes = ":/pollard/scenes/lecture.json";

} // namespace

DemonstrationViewModel::DemonstrationViewModel(LabViewModel& lab, LabPlayerViewModel& player, QObject* parent)
    : QObject(parent), lab_(lab), player_(player) {
    static_cast<void>(load(QLatin1String(kOwnScenes))); // a program without its resources has no scenes
}

QStringList DemonstrationViewModel::titles() const {
    QStringList titles;
    for (const PreparedScene& scene : scenes_) {
        titles << scene.title;
    }
    return titles;
}

PreparedScene DemonstrationViewModel::present() const {
    return {teachText(player_.info().title),
            lab_.image(),
            player_.player(),
            player_.spec(),
            player_.done(),
            player_.isGuessing(),
            player_.beside()};
}

QByteArray DemonstrationViewModel::presentScene() const { return sceneText(present()); }

void DemonstrationViewModel::put(const PreparedScene& scene) {
    lab_.setImage(scene.image);
    player_.setGuessing(scene.guessing);
    player_.setBeside(scene.beside);
    player_.start(scene.player, scene.spec, scene.step);
}

QString DemonstrationViewModel::load(const QString& path) {
    try {
        scenes_ = loadScenes(path);
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    current_ = -1;
    emit scenesChanged();
    emit currentChanged();
    if (active_) {
        show(0);
    } else {
        left_.reset(); // a state of the scenes before
    }
    return {};
}

void DemonstrationViewModel::setActive(bool active) {
    if (!change(active_, active)) {
        return;
    }
    emit activeChanged();
    const auto left = std::exchange(left_, present());
    if (left) {
        put(*left);
    } else {
        show(0);
    }
}

void DemonstrationViewModel::show(int scene) {
    if (scene < 0 || scene >= static_cast<int>(scenes_.size())) {
        return;
    }
    const PreparedScene& shown = scenes_[static_cast<std::size_t>(scene)];
    const bool isOther = scene != current_;
    current_ = scene;
    put(shown);
    if (isOther) {
        emit currentChanged();
    }
}

void DemonstrationViewModel::forward() {
    if (!player_.isIdle()) {
        return; // a scene is being loaded
    }
    if (player_.atEnd() && current_ + 1 < static_cast<int>(scenes_.size())) {
        show(current_ + 1);
    } else {
        player_.stepForward();
    }
}

void DemonstrationViewModel::back() {
    if (!player_.isIdle()) {
        return;
    }
    if (player_.done() == 0 && current_ > 0) {
        show(current_ - 1);
    } else {
        player_.stepBack();
    }
}

} // namespace pollard::vm
