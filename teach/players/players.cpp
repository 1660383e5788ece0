#include "players/columns_player.hpp"
#include "players/flooding_player.hpp"
#include "players/player.hpp"
#include "players/tiles_player.hpp"
#include "players/union_find_player.hpp"

#include <algorithm>
#include <vector>

namespace pollard::teach {

std::span<const PlayerInfo> players() {
    static const std::vector<PlayerInfo> all{
        unionFindPlayer(),
        floodingPlayer(),
        columnsPlayer(),
        tilesPlayer(),
    };
    return all;
}

const PlayerInfo* findPlayer(std::string_view id) {
    const auto all = players();
    const auto found = std::ranges::find(all, id, &PlayerInfo::id);
    return found != all.end() ? &*found : nullptr;
}

} // namespace pollard::teach
