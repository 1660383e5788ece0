#include "players/players.hpp"

#include <algorithm>
#include <vector>

namespace pollard::teach {

std::span<const PlayerInfo> players() {
    static const std::vector<PlayerInfo> all = [] {
        std::vector<PlayerInfo> list{
            unionFindPlayer(), floodingPlayer(),           columnsPlayer(), tilesPlayer(),
            borderPlayer(),    gridSimplificationPlayer(), boruvkaPlayer(), rimsPlayer(),
        };
        list.push_back(attributePlayer());
        list.insert(list.end(), filterPlayers().begin(), filterPlayers().end());
        list.push_back(ha4Player());
        list.push_back(tmkPlayer());
        list.push_back(stripsPlayer());
        list.push_back(watershedPlayer());
        list.push_back(forestPlayer());
        list.push_back(snakePlayer());
        return list;
    }();
    return all;
}

const PlayerInfo* findPlayer(std::string_view id) {
    const auto all = players();
    const auto found = std::ranges::find(all, id, &PlayerInfo::id);
    return found != all.end() ? &*found : nullptr;
}

} // namespace pollard::teach
